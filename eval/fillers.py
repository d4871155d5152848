"""What people write around a question, in five languages; none of it asks for anything."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fillers:
    """Phrases to put before and after a question, and longer stories to put before it."""

    before: tuple[str, ...]
    after: tuple[str, ...]
    stories: tuple[str, ...]


FILLERS = {
    "sk": Fillers(
        ("Dobrý deň, prosím vás,", "Ahoj, chcel by som sa spýtať,", "Prosím poraďte,",
         "Zdravím, neviete náhodou,"),
        ("Ďakujem vopred za odpoveď.", "Vopred vďaka a pekný deň.", "Ďakujem pekne!"),
        ("Už hodinu to hľadám a nikde som nič nenašiel.",
         "Som tu nový a ešte sa v tom nevyznám.",
         "Kolega mi poradil, aby som sa obrátil na vás."),
    ),
    "cs": Fillers(
        ("Dobrý den, prosím vás,", "Ahoj, chtěl bych se zeptat,", "Prosím poraďte,",
         "Zdravím, nevíte náhodou,"),
        ("Děkuji předem za odpověď.", "Předem díky a hezký den.", "Děkuji pěkně!"),
        ("Už hodinu to hledám a nikde jsem nic nenašel.",
         "Jsem tu nový a ještě se v tom nevyznám.",
         "Kolega mi poradil, abych se obrátil na vás."),
    ),
    "pl": Fillers(
        ("Dzień dobry, proszę mi powiedzieć,", "Cześć, chciałbym zapytać,", "Proszę o pomoc,",
         "Witam, nie wiecie przypadkiem,"),
        ("Z góry dziękuję za odpowiedź.", "Dzięki i miłego dnia.", "Dziękuję bardzo!"),
        ("Szukam tego od godziny i nigdzie nic nie znalazłem.",
         "Jestem tu nowy i jeszcze się w tym nie orientuję.",
         "Kolega poradził mi, żebym zwrócił się do was."),
    ),
    "ru": Fillers(
        ("Добрый день, подскажите, пожалуйста,", "Привет, хотел бы спросить,",
         "Помогите, пожалуйста,", "Здравствуйте, вы случайно не знаете,"),
        ("Заранее спасибо за ответ.", "Спасибо и хорошего дня.", "Большое спасибо!"),
        ("Уже час ищу и нигде ничего не нашёл.",
         "Я здесь новенький и ещё не разобрался.",
         "Коллега посоветовал мне обратиться к вам."),
    ),
    "en": Fillers(
        ("Hello, could you please tell me,", "Hi, I would like to ask,", "Please help,",
         "Good morning, do you happen to know,"),
        ("Thank you in advance for the answer.", "Thanks and have a nice day.", "Thanks a lot!"),
        ("I have been looking for an hour and found nothing anywhere.",
         "I am new here and still finding my way around.",
         "A colleague advised me to turn to you."),
    ),
}  # fmt: skip
