import type { Spot } from './spots.ts'

const SPACE = /[ \t\n\f\r]+/g
/** An element of our own, which no style of the page is for. */
const NAME = 'draft-text'
/** In WebKit, `all: unset` takes what makes it a field as well. */
const LOOK = `all: unset; display: inline; cursor: text; outline: 2px solid;
  outline-offset: 3px; border-radius: 2px; min-width: 1ch; user-select: text;
  -webkit-user-select: text; -webkit-user-modify: read-write-plaintext-only; pointer-events: auto;`
/** Over a text in a drawing or a button, which cannot hold what is typed. */
const OVER = `position: fixed; z-index: 2147483647; background: #fff; color: #1b1a17;
  padding: 2px 4px; font: 16px/1.4 sans-serif;`

/** After the last key. */
const PAUSE_MS = 800

/** What the field said when it was opened, and what it says. */
interface Change {
  before: string
  after: string
}

interface FieldEvents {
  onPause(change: Change): void
  /** @param change null where it says what it said before, and nobody was told otherwise */
  onClose(change: Change | null): void
  onStep(by: 1 | -1): void
}

/** Makes a run of text a field. Enter and leaving it commit, Escape cancels, Tab steps on. */
export function openField(spot: Spot, { onPause, onClose, onStep }: FieldEvents) {
  const { nodes, text, offset } = spot
  const parent = nodes[0]!.parentElement!
  const lead = /^[ \t\n\f\r]*/.exec(text)![0]
  const trail = /[ \t\n\f\r]*$/.exec(text)![0]
  const core = text.slice(lead.length, text.length - trail.length)
  const isFolded = /^(normal|nowrap)$/.test(getComputedStyle(parent).whiteSpace)
  const shownAs = (from: string) => (isFolded ? from.replace(SPACE, ' ') : from)
  const before = shownAs(core)
  /** The text’s own, which reads on whatever is behind it, unless it is shown by its background. */
  const ink = /, 0\)$/.test(getComputedStyle(parent).color) ? '#1f5fbf' : 'currentColor'
  const isOver = !(parent instanceof HTMLElement) || parent.closest('button, summary') !== null
  const field = document.createElement(NAME)
  // The white space of the source stays around the field, as the browser lays it out.
  const parts = [new Text(lead), field, new Text(trail)]
  let isOpen = true
  let told = before
  let pause: ReturnType<typeof setTimeout> | undefined

  function show(): void {
    for (const extra of nodes.slice(1)) extra.remove()
    field.textContent = before
    field.style.cssText = LOOK + (isOver ? OVER : '')
    field.style.outlineColor = field.style.caretColor = ink
    field.style.whiteSpace = 'pre-wrap'
    field.setAttribute('role', 'textbox')
    field.setAttribute('aria-label', 'Text of the page')
    field.setAttribute('contenteditable', 'plaintext-only')
    if (field.contentEditable !== 'plaintext-only') field.contentEditable = 'true'
    if (isOver) {
      nodes[0]!.data = text
      const range = document.createRange()
      range.selectNodeContents(nodes[0]!)
      const { left, top } = range.getBoundingClientRect()
      field.style.left = `${Math.max(0, left - 4)}px`
      field.style.top = `${Math.max(0, top - 2)}px`
      document.documentElement.append(field)
    } else nodes[0]!.replaceWith(...parts)
    field.focus()
    const at = shownAs(core.slice(0, Math.max(0, offset - lead.length))).length
    getSelection()?.collapse(field.firstChild, Math.min(at, before.length))
  }
  /** The field stays as it is, with its caret: what is typed is safe before it is closed. */
  function tell(): void {
    clearTimeout(pause)
    pause = undefined
    const after = typed()
    if (after === told) return
    told = after
    onPause({ before, after })
  }
  function close(isKept: boolean): void {
    if (!isOpen) return
    isOpen = false
    clearTimeout(pause)
    const after = isKept ? typed() : before
    const next = after === before ? text : lead + after + trail
    if (isOver) {
      field.remove()
      nodes[0]!.data = next
    } else {
      for (const part of [parts[0], parts[2]]) part!.remove()
      field.replaceWith(next)
    }
    onClose(after === before && told === before ? null : { before, after })
  }
  // A browser needs a line break more to show that the last line is empty.
  const typed = () => shownAs((field.textContent ?? '').replace(/\r\n?/g, '\n').replace(/\n+$/, ''))
  const commit = () => close(true)
  const cancel = () => close(false)
  /** Text alone comes in, whatever was copied or dropped. */
  function insert(given: string | undefined): void {
    document.execCommand('insertText', false, shownAs(given ?? ''))
  }
  field.addEventListener('blur', commit)
  field.addEventListener('input', () => {
    // The first key is told at once: from then on, the browser asks before the document goes.
    if (pause === undefined) tell()
    clearTimeout(pause)
    pause = setTimeout(tell, PAUSE_MS)
  })
  field.addEventListener('paste', (event) => {
    event.preventDefault()
    insert(event.clipboardData?.getData('text/plain'))
  })
  field.addEventListener('drop', (event) => event.preventDefault())
  field.addEventListener('beforeinput', (event) => {
    if (!/^(format|insertParagraph|insertLineBreak)/.test(event.inputType)) return
    event.preventDefault()
  })
  show()
  return {
    commit,
    cancel,
    tell,
    contains: (other: Node) => field.contains(other),
    isChanged: () => typed() !== before,
    key(event: KeyboardEvent): void {
      if (event.isComposing) return
      const { key, shiftKey } = event
      if (!['Enter', 'Escape', 'Tab'].includes(key)) return
      event.preventDefault()
      if (key === 'Escape') cancel()
      else if (key === 'Tab') onStep(shiftKey ? -1 : 1)
      else if (shiftKey && !isFolded) insert('\n')
      else commit()
    },
  }
}
