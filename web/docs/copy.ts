const SHOWN_MS = 1600

/** Adds a button to each example that copies it, in the language that is shown. */
export function addCopyButtons(): void {
  const status = document.createElement('p')
  status.className = 'status'
  status.setAttribute('role', 'status')
  document.body.append(status)
  for (const figure of document.querySelectorAll('figure.code')) {
    figure.querySelector('figcaption')?.append(copyButton(figure, status))
  }
}

function copyButton(figure: Element, status: Element): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.setAttribute('aria-label', 'Copy the example')
  button.addEventListener('click', async () => {
    const code = shownCode(figure)
    if (code === undefined) return
    const isCopied = await copy(code)
    button.textContent = isCopied ? 'Copied' : 'Selected'
    status.textContent = isCopied ? 'Copied' : 'Selected: copy it with the keyboard'
    setTimeout(() => {
      button.textContent = 'Copy'
      status.textContent = ''
    }, SHOWN_MS)
  })
  return button
}

function shownCode(figure: Element): Element | undefined {
  const all = [...figure.querySelectorAll('pre')]
  return all.find((each) => each.getClientRects().length > 0)?.querySelector('code') ?? undefined
}

/** A page over plain HTTP has no clipboard. There, the code is selected instead. */
async function copy(code: Element): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(code.textContent ?? '')
    return true
  } catch {
    getSelection()?.selectAllChildren(code)
    return false
  }
}
