const { get } = Object.getOwnPropertyDescriptor(HTMLFormElement.prototype, 'elements')!

/** Those of a form in document order, even where a control is named `elements`. */
export function elementsOf(form: HTMLFormElement): Element[] {
  return [...(get!.call(form) as HTMLFormControlsCollection)]
}

/** Until the returned function is called, which also gives the pressed one its focus back. */
export function disableSubmits(form: HTMLFormElement): () => void {
  const buttons = elementsOf(form).filter(isFreeSubmit)
  const root = form.getRootNode() as Partial<DocumentOrShadowRoot>
  const pressed = buttons.find((button) => button === root.activeElement)
  for (const button of buttons) button.disabled = true
  return () => {
    for (const button of buttons) button.disabled = false
    const isElsewhere = root.activeElement && root.activeElement !== document.body
    if (!isElsewhere) pressed?.focus({ preventScroll: true })
  }
}

function isFreeSubmit(element: Element): element is HTMLButtonElement | HTMLInputElement {
  const isButton = element instanceof HTMLButtonElement || element instanceof HTMLInputElement
  return isButton && element.type === 'submit' && !element.disabled
}
