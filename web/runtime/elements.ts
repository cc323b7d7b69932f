const { get } = Object.getOwnPropertyDescriptor(HTMLFormElement.prototype, 'elements')!

/** A form's elements in document order, even if a control is named `elements`. */
export function elementsOf(form: HTMLFormElement): Element[] {
  return [...(get!.call(form) as HTMLFormControlsCollection)]
}

/** @returns a function that enables the buttons again and restores the focus */
export function disableSubmitButtons(form: HTMLFormElement): () => void {
  const buttons = elementsOf(form).filter(isEnabledSubmitButton)
  const root = form.getRootNode() as Partial<DocumentOrShadowRoot>
  const pressed = buttons.find((button) => button === root.activeElement)
  for (const button of buttons) button.disabled = true
  return () => {
    for (const button of buttons) button.disabled = false
    const isFocusElsewhere = root.activeElement && root.activeElement !== document.body
    if (!isFocusElsewhere) pressed?.focus({ preventScroll: true })
  }
}

function isEnabledSubmitButton(element: Element): element is HTMLButtonElement | HTMLInputElement {
  const isButton = element instanceof HTMLButtonElement || element instanceof HTMLInputElement
  return isButton && element.type === 'submit' && !element.disabled
}
