"""One browser's session with the real server, without the browser: Streamlit's messages over a websocket.

    with Session("http://127.0.0.1:8501") as visitor:
        visitor.open("compare")
        visitor.put(A="The cat sleeps.", B="The cat sleep.")
        print(visitor.text)

It sends what a browser sends and waits for the end of the script, so the server does the same work.
"""

import time
from collections import defaultdict
from dataclasses import dataclass, field
from urllib.parse import urlencode, urlsplit

import numpy as np
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.sync.client import connect

_FIELDS = {bool: "bool_value", str: "string_value", int: "int_value", float: "double_value"}
_TRIGGERS = ("button", "download_button")


class Session:
    """A visitor. `elements` is what the page shows, by place; `seconds` how long the last run of the script took."""

    def __init__(self, address, headers=None, patience=120.0):
        place = urlsplit(address)
        self._url = f"ws://{place.netloc}{place.path}/_stcore/stream"
        self._headers, self._patience = headers, patience
        self._states = {}
        self._page, self._query = "", ""
        self.elements = {}
        self.seconds = 0.0

    def __enter__(self):
        self._socket = connect(
            self._url, max_size=None, subprotocols=["streamlit"], additional_headers=self._headers, open_timeout=60
        )  # fmt: skip
        return self

    def __exit__(self, *_):
        self._socket.close()

    def open(self, page="", /, **parameters):
        """Open a page (the last part of its address) with these parameters in its link, as after typing a link."""
        self._states.clear()
        self._page, self._query = page, urlencode(parameters, doseq=True)
        self._run()

    def put(self, **values):
        """Give widgets values, by their label; an underscore stands for a space."""
        for label, value in values.items():
            widget = self.widget(label.replace("_", " "))
            self._states[widget.id] = WidgetState(id=widget.id, **{_FIELDS[type(value)]: value})
        self._run()

    def press(self, label):
        """Press a button."""
        widget = self.widget(label, *_TRIGGERS)
        self._run(WidgetState(id=widget.id, trigger_value=True))

    def widget(self, label, *kinds):
        """The widget with this label; LookupError if the page has none."""
        for element in self.elements.values():
            kind = element.WhichOneof("type")
            found = getattr(element, kind) if kind else None
            if getattr(found, "label", None) == label and getattr(found, "id", "") and (not kinds or kind in kinds):
                return found
        raise LookupError(f"no widget '{label}' on the page '{self._page}'")

    @property
    def text(self):
        """The words of the page, with their markup."""
        found = [getattr(element, element.WhichOneof("type") or "", None) for element in self.elements.values()]
        bodies = [str(getattr(one, "body", "")) for one in found]
        return "\n".join(body for body in bodies if not body.startswith("<style"))

    @property
    def exceptions(self):
        """Tracebacks on the page: there must be none."""
        return [str(element.exception) for element in self.elements.values() if element.HasField("exception")]

    def _run(self, *triggers):
        message = BackMsg()
        state = message.rerun_script
        state.page_name, state.query_string = self._page, self._query
        state.widget_states.widgets.extend([*self._states.values(), *triggers])
        began = time.monotonic()
        self._socket.send(message.SerializeToString())
        while not self._heard(began):
            pass
        self.seconds = time.monotonic() - began

    def _heard(self, began):
        """Take in one message; whether it was the last of a run."""
        message = ForwardMsg()
        message.ParseFromString(self._socket.recv(timeout=self._patience - (time.monotonic() - began)))
        match message.WhichOneof("type"):
            case "new_session":
                self.elements.clear()
            case "delta" if message.delta.HasField("new_element"):
                self.elements[tuple(message.metadata.delta_path)] = message.delta.new_element
            case "page_info_changed":
                self._query = message.page_info_changed.query_string
            case "script_finished":
                return message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN
        return False


@dataclass
class Record:
    """What many saw: seconds by action; what was wrong, in words."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    wrong: list[str] = field(default_factory=list)

    def quantile(self, share, *actions):
        """The quantile of these actions' seconds, of all if none is named."""
        return float(np.quantile([one for name in actions or self.seconds for one in self.seconds[name]], share))

    def table(self, *said):
        """A line per action."""
        lines = [f"{'action':28}{'n':>8}{'p50':>8}{'p95':>8}{'max':>8}  seconds"]
        for name in sorted(self.seconds):
            cells = "".join(f"{self.quantile(q, name):>8.3f}" for q in (0.5, 0.95, 1))
            lines.append(f"{name:28}{len(self.seconds[name]):>8}{cells}")
        return "\n".join([*lines, *said, f"wrong: {len(self.wrong)}", *self.wrong[:10]])
