"""A class of thirty: the teacher's page, and beside Streamlit a small page and a few routes for phones.

server             the server of one class, started by `pairlens class`
only_the_teacher   nothing but the phones' routes is served without the teacher's key
phone_routes       the phones' page and what it asks for; phone.html, phone.css, phone.js
served             which class this process serves
"""
