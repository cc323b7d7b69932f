import type { Spot } from './spots.ts'

const SPACE = /[ \t\n\f\r]+/g
/** An element of our own, which no style of the page is for. */
const NAME = 'draft-text'
/** In WebKit, `all: unset` takes what makes it a field as well. */
const LOOK = `all: unset; display: inline; cursor: text; outline: 2px solid;
  outline-offset: 3px; border-radius: 2px; min-width: 1ch; user-select: text;
  -webkit-user-select: text; -webkit-user-modify: read-write-plaintext-only; pointer-events: auto;
  white-space: pre-wrap;`
/** Over a text in a drawing or a button, which cannot hold what is typed. */
const OVER = `position: fixed; z-index: 2147483647; background: #fff; color: #1b1a17;
  padding: 2px 4px; font: 16px/1.4 sans-serif;`

interface Change {
  before: string
  after: string
}

interface FieldEvents {
  onType(change: Change): void
  /** @param change null where it says what it said before, and nobody was told otherwise */
  onClose(change: Change | null): void
  onStep(by: 1 | -1): void
}

/** Makes a run of text a field. Enter and leaving it commit, Escape cancels, Tab steps on. */
export function openField(spot: Spot, { onType, onClose, onStep }: FieldEvents) {
  const { nodes, text, offset } = spot
  const lead = /^[ \t\n\f\r]*/.exec(text)![0]
  const trail = /[ \t\n\f\r]*$/.exec(text)![0]
  const core = text.slice(lead.length, text.length - trail.length)
  const isFolded = /^(normal|nowrap)$/.test(getComputedStyle(nodes[0]!.parentElement!).whiteSpace)
  const displayed = (source: string) => (isFolded ? source.replace(SPACE, ' ') : source)
  const before = displayed(core)
  const { field, restore } = showField(spot, { lead, before, trail })
  let isOpen = true
  let reported = before

  // A browser needs a line break more to show that the last line is empty.
  const value = () =>
    displayed((field.textContent ?? '').replace(/\r\n?/g, '\n').replace(/\n+$/, ''))

  function close(after: string): void {
    if (!isOpen) return
    isOpen = false
    restore(after === before ? text : lead + after + trail)
    onClose(after === before && reported === before ? null : { before, after })
  }
  const commit = () => close(value())
  const cancel = () => close(before)
  /** Text alone comes in, whatever was copied or dropped. */
  function insert(content = ''): void {
    document.execCommand('insertText', false, displayed(content))
  }
  field.addEventListener('blur', commit)
  // Each key is told at once: the document may go with the next one.
  field.addEventListener('input', () => {
    const after = value()
    if (after === reported) return
    reported = after
    onType({ before, after })
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
  field.focus()
  const caret = displayed(core.slice(0, Math.max(0, offset - lead.length))).length
  getSelection()?.collapse(field.firstChild, Math.min(caret, before.length))
  return {
    commit,
    cancel,
    contains: (other: Node) => field.contains(other),
    isChanged: () => value() !== before,
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

/** What takes the place of a text: the white space of the source stays around the field. */
type Parts = Record<'lead' | 'before' | 'trail', string>

/** Shows the field in the place of its text, or over it. @returns it, and what ends it again */
function showField({ nodes, text }: Spot, { lead, before, trail }: Parts) {
  const [node, ...others] = nodes as [Text, ...Text[]]
  const parent = node.parentElement!
  const isOver = !(parent instanceof HTMLElement) || parent.closest('button, summary') !== null
  const field = document.createElement(NAME)
  field.textContent = before
  field.style.cssText = LOOK + (isOver ? OVER : '')
  // The text’s own, which reads on whatever is behind it, unless it is shown by its background.
  const ink = /, 0\)$/.test(getComputedStyle(parent).color) ? '#1f5fbf' : 'currentColor'
  field.style.outlineColor = field.style.caretColor = ink
  field.setAttribute('role', 'textbox')
  field.setAttribute('aria-label', 'Text of the page')
  field.setAttribute('contenteditable', 'plaintext-only')
  if (field.contentEditable !== 'plaintext-only') field.contentEditable = 'true'
  for (const other of others) other.remove()
  if (!isOver) {
    const [start, end] = [new Text(lead), new Text(trail)]
    node.replaceWith(start, field, end)
    const restore = (next: string) => {
      start.remove()
      end.remove()
      field.replaceWith(next)
    }
    return { field, restore }
  }
  node.data = text
  const range = document.createRange()
  range.selectNodeContents(node)
  const { left, top } = range.getBoundingClientRect()
  field.style.left = `${Math.max(0, left - 4)}px`
  field.style.top = `${Math.max(0, top - 2)}px`
  document.documentElement.append(field)
  const restore = (next: string) => {
    field.remove()
    node.data = next
  }
  return { field, restore }
}
