/** A child of an element: text is written as text, `null` and `false` are left out. */
export type Child = Node | string | number | null | false | undefined
type Listeners = { [Name in keyof HTMLElementEventMap as `on${Name}`]?: Listener<Name> }
type Listener<Name extends keyof HTMLElementEventMap> = (event: HTMLElementEventMap[Name]) => void
type Attributes = Listeners & {
  [name: string]: string | number | boolean | null | undefined | Listener<never>
}

/**
 * Makes an element: `h('button', { type: 'button', onclick: save }, 'Save')`. `true` writes an
 * empty attribute; `false`, `null` and `undefined` write none.
 */
export function h<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (value == null || value === false) continue
    if (typeof value === 'function') {
      element.addEventListener(key.slice(2), value as EventListener)
    } else element.setAttribute(key, value === true ? '' : String(value))
  }
  fill(element, ...children)
  return element
}

/** Replaces everything in an element. */
export function fill(element: Element, ...children: Child[]): void {
  const nodes = children.filter((child) => child != null && child !== false)
  element.replaceChildren(...nodes.map((child) => (child instanceof Node ? child : String(child))))
}

const SVG = 'http://www.w3.org/2000/svg'

/** A line drawing in a box of 16 by 16, which screen readers skip. */
export function icon(path: string): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('viewBox', '0 0 16 16')
  svg.setAttribute('aria-hidden', 'true')
  const line = document.createElementNS(SVG, 'path')
  line.setAttribute('d', path)
  svg.append(line)
  return svg
}
