/** What a visitor does in front of a page, the same in every browser: real clicks and real keys. */
import { DEEP } from '../webkit.ts'

/** A document that the visitor looks at. */
export interface View {
  evaluate(expression: string): Promise<unknown>
  /** Clicks the element that the expression finds. @returns whether there is one */
  click(expression: string): Promise<boolean>
  /** Clicks into the element that the expression finds, and types. @returns whether there is one */
  type(expression: string, text: string): Promise<boolean>
}

/** A window of a browser with a profile of its own. */
export interface MatrixWindow {
  goto(url: string): Promise<void>
  /** Its document. */
  top: View
  /** The document in the frame of ours. */
  frame: View
  /** Errors of scripts so far. */
  errors(): string[]
  close(): Promise<void>
}

const CONTROLS = {
  button: 'button',
  link: 'a[href]',
  tab: '[role=tab]',
  radio: 'input[type=radio]',
  field: 'input, textarea',
}
export type Role = keyof typeof CONTROLS

/** A click that had no effect by then is made again: nobody clicks something twice at once. */
const EFFECT_MS = 3000
const WAIT_MS = 60_000

/**
 * An expression that finds what a person would use: shown, enabled, and not let through by the
 * pointer. A count may follow the name.
 */
function found(role: Role, name: string): string {
  return `(() => {
${DEEP}
const name = ${JSON.stringify(name)}
return [...all(document)].find((element) => {
  if (!element.matches(${JSON.stringify(CONTROLS[role])}) || element.disabled ||
    element.ariaDisabled === 'true') return false
  const labelled = element.getAttribute('aria-labelledby')
  const text = labelled ? element.getRootNode().getElementById(labelled).textContent : nameOf(element)
  const rest = text.trim().startsWith(name) ? text.trim().slice(name.length).trim() : null
  if (rest === null || !/^[0-9]*$/.test(rest) || !isShown(element)) return false
  return getComputedStyle(element).pointerEvents !== 'none'
}) ?? null })()`
}

export const shownIn = (view: View, role: Role, name: string) =>
  view.evaluate(`${found(role, name)} !== null`).catch(() => false) as Promise<boolean>

export const isChosen = (view: View, name: string) =>
  view.evaluate(`${found('radio', name)}?.checked`).catch(() => false) as Promise<boolean>

/** All that a document shows, in shadow trees too. */
export const textIn = async (view: View) =>
  String(await view.evaluate(`(() => { ${DEEP}; return shownText() })()`).catch(() => ''))

export const shows = async (view: View, text: string) => (await textIn(view)).includes(text)

/** Waits until a document shows a text. */
export async function reads(view: View, text: string): Promise<void> {
  await until(
    () => shows(view, text),
    `“${text}”`,
    () => textIn(view),
  )
}

export async function until(
  isSo: () => Promise<boolean>,
  what: string,
  instead: () => Promise<string> = async () => '',
): Promise<void> {
  if (await becomesSo(isSo, WAIT_MS)) return
  throw new Error(`waited in vain for ${what}; instead: ${(await instead()).slice(0, 500)}`)
}

async function becomesSo(isSo: () => Promise<boolean>, waitMs: number): Promise<boolean> {
  for (const deadline = Date.now() + waitMs; Date.now() < deadline; await Bun.sleep(100)) {
    if (await isSo()) return true
  }
  return isSo()
}

/** Clicks a control once it is there. */
export async function click(view: View, role: Role, name: string): Promise<void> {
  // What is being replaced cannot be clicked, and is found again.
  const attempt = () => view.click(found(role, name)).catch(() => false)
  await until(attempt, `the ${role} “${name}”`, () => textIn(view))
}

/** Clicks a control of ours until it has had its effect: what comes too early is ignored. */
export async function press(
  view: View,
  [role, name]: [Role, string],
  hasEffect: () => Promise<boolean>,
): Promise<void> {
  const deadline = Date.now() + WAIT_MS
  await click(view, role, name)
  while (!(await becomesSo(hasEffect, EFFECT_MS))) {
    if (Date.now() > deadline) {
      const text = await textIn(view)
      throw new Error(`the ${role} “${name}” had no effect; shown: ${text.slice(0, 500)}`)
    }
    await view.click(found(role, name)).catch(() => false)
  }
}

/** Clicks into a field once it is there, types, and sees what was typed. */
export async function fill(view: View, name: string, text: string): Promise<void> {
  const field = found('field', name)
  const value = async () => String(await view.evaluate(`${field}?.value`).catch(() => ''))
  const attempt = () => view.type(field, text).catch(() => false)
  await until(attempt, `the field “${name}”`, () => textIn(view))
  await until(async () => (await value()) === text, `“${text}” in “${name}”`, value)
}
