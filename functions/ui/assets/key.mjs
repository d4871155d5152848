// The key of a protected installation. It is kept in this variable and nowhere else: no storage,
// no cookie, no address.

export class Key {
  #value = "";
  #dialog;
  #message;
  #input;
  #wording;
  #waiting = null;

  /** `dialog` and `button` are null where the wiki asks for no key. */
  constructor(dialog, button, wording) {
    this.#dialog = dialog;
    this.#wording = wording;
    if (!dialog) return;
    this.#message = dialog.querySelector("#key-message");
    this.#input = dialog.querySelector("input");
    dialog.addEventListener("close", () => this.#closed());
    // Enter means the first button, which a dialog's form would take for no answer at all.
    dialog.addEventListener("cancel", () => (dialog.returnValue = "cancel"));
    if (button) {
      button.hidden = false;
      button.addEventListener("click", () => this.enter());
    }
  }

  /** The headers that a request needs. */
  get headers() {
    return this.#value ? { "X-API-Key": this.#value } : {};
  }

  /** Ask for a key; true once there is a new one, false where nobody gave it. */
  enter() {
    if (!this.#dialog) return Promise.resolve(false);
    if (this.#dialog.open) return this.#waiting.promise;
    this.#message.hidden = true;
    this.#open();
    return this.#waiting.promise;
  }

  /** The same after the server refused: says so if there was a key. */
  refused() {
    // Where people log in, a key is for those who ask for the dialog.
    const isWanted = this.#dialog && (this.#value || !("optional" in this.#dialog.dataset));
    if (!isWanted) return Promise.resolve(false);
    this.#message.textContent = this.#wording.say(this.#value ? "wrong_key" : "needs_key");
    this.#message.hidden = false;
    this.#value = "";
    this.#open();
    return this.#waiting.promise;
  }

  #open() {
    if (!this.#dialog.open) {
      let settle;
      const promise = new Promise((resolve) => (settle = resolve));
      this.#waiting = { promise, settle };
      this.#input.value = "";
      this.#dialog.returnValue = "cancel";
      this.#dialog.showModal();
    }
  }

  #closed() {
    const { returnValue } = this.#dialog;
    const typed = this.#input.value.trim();
    this.#input.value = "";
    if (returnValue === "forget") this.#value = "";
    if (returnValue === "use" && typed) this.#value = typed;
    this.#waiting.settle(returnValue === "use" && typed !== "");
  }
}
