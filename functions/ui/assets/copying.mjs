// Buttons that copy an address or an id.

const SHOWN = 1500; // milliseconds

/** Show and wire the buttons inside `root`; without scripts they would do nothing. */
export function showCopyButtons(root, wording) {
  for (const button of root.querySelectorAll("button[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const { copy } = button.dataset;
      const text = "address" in button.dataset ? new URL(copy, location.href).href : copy;
      if (await copied(text)) say(button, wording.say("copied"));
    });
  }
}

function say(button, words) {
  if (button.dataset.label) return; // it says so already
  button.dataset.label = button.textContent;
  button.textContent = words;
  setTimeout(() => {
    button.textContent = button.dataset.label;
    delete button.dataset.label;
  }, SHOWN);
}

async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copiedBySelection(text);
  }
}

// Without HTTPS a browser has no clipboard for scripts, but still copies what is selected.
function copiedBySelection(text) {
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "unseen";
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  return done;
}
