import { MAX_SELECTOR_CHARS } from '../../../../src/model/passage.ts'

const NAME = /^[a-z][\w-]*$/i
/**
 * The selectors that are looked up: names, ids, classes and positions of parents and children.
 * Commenters write them, and others could make the browser search a large page for long.
 */
const STEP = /^(?:[a-z][\w-]*)?(?:[#.][a-z][\w-]*)*(?::nth-(?:of-type|child)\(\d{1,5}\))?$/i
const CHILD = ' > '

/** A short selector of this element alone; null where there is none. */
export function selectorOf(element: Element): string | null {
  const steps: string[] = []
  for (let at: Element | null = element; at !== null; at = at.parentElement) {
    steps.unshift(stepOf(at))
    const selector = steps.join(CHILD)
    if (selector.length > MAX_SELECTOR_CHARS) return null
    if (findOnly(selector) === element) return selector
  }
  return null
}

/** The only element that a selector has; null where there are none or others, or it is refused. */
export function findOnly(selector: string): Element | null {
  const steps = selector.split(CHILD)
  if (!steps.every((step) => step !== '' && STEP.test(step))) return null
  const matches = document.querySelectorAll(selector)
  return matches.length === 1 ? matches[0]! : null
}

function stepOf(element: Element): string {
  // The attribute: in a form, `id` can be a control of that name.
  const id = element.getAttribute('id') ?? ''
  if (NAME.test(id)) return `#${id}`
  const { localName: name, parentElement: parent } = element
  const same = [...(parent?.children ?? [])].filter((each) => each.localName === name)
  return same.length > 1 ? `${name}:nth-of-type(${same.indexOf(element) + 1})` : name
}
