"""Class: what does a class expect before it sees what a model expects?"""

from pages.components.classroom.served import SERVED
from pages.components.classroom.show_step import show_earlier, show_joining, show_result, show_step, steer
from pages.components.shared.frame import open_page

open_page("Class", "What do we expect, and what does the model?")
if SERVED:
    running = SERVED[0]
    room = running.kept.now()
    steer(running, room)
    if room.at == 0:
        show_joining(running)
    elif room.step:
        show_step(running.kept, room)
    else:
        show_result(running.kept.name, room)
else:
    show_earlier()
