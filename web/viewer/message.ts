import { elementById } from './dom.ts'

export interface Message {
  title: string
  text: string
  /** A button for what to do next. */
  action?: { label: string; run(): void }
  /** A form that asks for a password. */
  password?: { label: string; submit(password: string): void }
}

/**
 * Shows a message in place of the file.
 * @returns a function that changes its text
 */
export function showMessage(message: Message): (text: string) => void {
  const panel = elementById('message', HTMLElement)
  const title = document.createElement('h2')
  title.textContent = message.title
  const text = document.createElement('p')
  text.textContent = message.text
  panel.replaceChildren(title, text)
  if (message.password) panel.append(passwordForm(message.password))
  if (message.action) {
    const { label, run } = message.action
    const control = document.createElement('button')
    control.type = 'button'
    control.className = 'action'
    control.textContent = label
    control.addEventListener('click', run)
    panel.append(control)
  }
  panel.hidden = false
  panel.querySelector<HTMLElement>('input, button')?.focus()
  return (newText) => {
    text.textContent = newText
  }
}

export function hideMessage(): void {
  elementById('message', HTMLElement).hidden = true
}

function passwordForm(password: NonNullable<Message['password']>): HTMLFormElement {
  const form = document.createElement('form')
  const label = document.createElement('label')
  const field = document.createElement('input')
  const control = document.createElement('button')
  field.type = 'password'
  field.required = true
  field.autocomplete = 'off'
  label.append(password.label, field)
  control.className = 'action'
  control.textContent = 'Open'
  form.append(label, control)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    password.submit(field.value)
  })
  return form
}
