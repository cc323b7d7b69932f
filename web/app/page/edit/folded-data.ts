import { type Range, StateField, type Text } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view'
import { formatBytes } from '../../ui/text.ts'

/**
 * Shows each long `data:` URI as one short word, so that a page with inlined images stays readable
 * and quick. The text itself is untouched; the word is deleted and copied as a whole.
 */
const DATA_URI = /data:([a-z0-9.+-]+\/[a-z0-9.+-]+)?[^"'\s<>()`]{1000,}/gi

class Folded extends WidgetType {
  constructor(
    readonly type: string,
    readonly size: number,
  ) {
    super()
  }
  override eq(other: Folded): boolean {
    return other.type === this.type && other.size === this.size
  }
  override toDOM(): HTMLElement {
    const word = document.createElement('span')
    word.className = 'cm-foldedData'
    word.textContent = `data:${this.type}, ${formatBytes(this.size)}`
    return word
  }
}

function foldsIn(doc: Text, from = 0, to = doc.length): Range<Decoration>[] {
  const found: Range<Decoration>[] = []
  for (const match of doc.sliceString(from, to).matchAll(DATA_URI)) {
    const at = from + match.index
    const size = match[0].length
    const widget = new Folded(match[1] ?? '', size)
    found.push(Decoration.replace({ widget }).range(at, at + size))
  }
  return found
}

const folds = StateField.define<DecorationSet>({
  create: ({ doc }) => Decoration.set(foldsIn(doc)),
  update(set, { docChanged, changes, state }) {
    if (!docChanged) return set
    let next = set.map(changes)
    // Only the lines that were changed are searched again.
    changes.iterChangedRanges((_from, _to, from, to) => {
      const [start, end] = [state.doc.lineAt(from).from, state.doc.lineAt(to).to]
      next = next.update({
        filter: (at, until) => until < start || at > end,
        add: foldsIn(state.doc, start, end),
        sort: true,
      })
    })
    return next
  },
})

export const foldedData = [
  folds,
  EditorView.decorations.from(folds),
  EditorView.atomicRanges.of((view) => view.state.field(folds)),
]
