import {
  defaultKeymap,
  history,
  historyKeymap,
  indentWithTab,
  isolateHistory,
  redo,
  undo,
} from '@codemirror/commands'
import { css } from '@codemirror/lang-css'
import { html } from '@codemirror/lang-html'
import { javascript, javascriptLanguage } from '@codemirror/lang-javascript'
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  indentOnInput,
  indentUnit,
  StreamLanguage,
  type StringStream,
} from '@codemirror/language'
import { gotoLine, highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { EditorState, type Extension, type Range, StateField, type Text } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  WidgetType,
} from '@codemirror/view'
import { formatBytes } from '../../../../src/model/numbers.ts'
import { h } from '../../../elements.ts'
import { look } from './code-look.ts'
import { lineEndOf } from './draft.ts'
import type { SourceEdit } from './visual/change.ts'

/** Long `data:` URIs, each shown as one word: pages with inlined images stay readable and quick. */
const DATA_URI = /data:([a-z0-9.+-]+\/[a-z0-9.+-]+)?[^"'\s<>()`]{1000,}/gi

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

const foldedData = [
  folds,
  EditorView.decorations.from(folds),
  EditorView.atomicRanges.of((view) => view.state.field(folds)),
]

/** Texts beyond this are shown without colours and folding, so that typing stays quick. */
const MAX_COLOURED_CHARS = 3_000_000

/** Marks changes that come from outside the editor, among those that are made in it. */
const OUTSIDE = 'outside'

export interface EditorFile {
  path: string
  text: string
  name: string
  isMarkdown: boolean
}

/** A place in a text: its line from 1, and what to select in it. */
export interface Place {
  line: number
  column?: number
  length?: number
}

interface EditorSettings {
  onChange(path: string, text: string): void
  onSave(): void
}

/** The extensions of both the editor and the comparison of two texts. */
export function basics(): Extension {
  const { nonce } = document.querySelector<HTMLScriptElement>('script[nonce]') ?? {}
  return [
    nonce ? EditorView.cspNonce.of(nonce) : [],
    lineNumbers(),
    highlightSpecialChars(),
    drawSelection(),
    EditorView.lineWrapping,
    typeOverSelection,
    foldedData,
    look,
  ]
}

/** The extensions of a file: line numbers, colours, search, undo. Escape and then Tab leave it. */
function extensionsOf(file: EditorFile, { onChange, onSave }: EditorSettings): Extension {
  const { path, text, name, isMarkdown } = file
  const lineEnd = lineEndOf(text)
  function save(): boolean {
    onSave()
    return true
  }
  return [
    keymap.of([
      { key: 'Mod-s', run: save },
      { key: 'Mod-Alt-g', run: gotoLine },
    ]),
    basics(),
    history(),
    foldGutter(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    highlightSelectionMatches(),
    bracketMatching(),
    indentOnInput(),
    indentUnit.of('  '),
    search({ top: true }),
    EditorView.scrollHandler.of(scrollAlone),
    keymap.of([...searchKeymap, ...historyKeymap, ...foldKeymap, ...defaultKeymap, indentWithTab]),
    EditorView.updateListener.of((update) => {
      if (update.docChanged && !update.transactions.some((one) => one.isUserEvent(OUTSIDE))) {
        onChange(path, update.state.sliceDoc())
      }
    }),
    EditorState.lineSeparator.of(lineEnd),
    EditorView.clipboardInputFilter.of((pasted) => pasted.replace(/\r\n?|\n/g, lineEnd)),
    EditorView.contentAttributes.of({
      'aria-label': name,
      'aria-describedby': 'editor-keys',
      // Safari scrolls by keys only what has the focus.
      tabindex: '0',
    }),
    text.length > MAX_COLOURED_CHARS ? [] : languageOf(path, isMarkdown),
  ]
}

/** A field in which files are edited, one at a time: each keeps what can be undone in it. */
export function createEditor(parent: HTMLElement, settings: EditorSettings) {
  /** Of the files that were open. */
  const states = new Map<string, EditorState>()
  const view = new EditorView({ parent, extensions: basics() })
  let open: string | null = null

  const stateOf = (file: EditorFile) =>
    EditorState.create({ doc: file.text, extensions: extensionsOf(file, settings) })
  function select(anchor: number, head: number): void {
    const effects = EditorView.scrollIntoView(anchor, { y: 'center' })
    view.dispatch({ selection: { anchor, head }, effects })
    view.focus()
  }
  return {
    show(file: EditorFile): void {
      if (open !== file.path) {
        if (open !== null) states.set(open, view.state)
        open = file.path
        view.setState(states.get(open) ?? stateOf(file))
      }
      if (view.state.sliceDoc() === file.text) return
      if (view.state.lineBreak !== lineEndOf(file.text)) view.setState(stateOf(file))
      else {
        // A text that was not typed here can be undone as well.
        view.dispatch({
          changes: { from: 0, to: view.state.doc.length, insert: file.text },
          userEvent: OUTSIDE,
        })
      }
    },
    goTo({ line, column = 0, length = 0 }: Place): void {
      const { doc } = view.state
      const { from, to } = doc.line(Math.min(Math.max(1, line), doc.lines))
      const anchor = Math.min(from + column, to)
      select(anchor, Math.min(anchor + length, doc.length))
    },
    /** Changes places of the text that is shown, as one step that can be undone. */
    change(edits: readonly SourceEdit[]): void {
      const { state } = view
      const at = positionsIn(state)
      const changes = edits.map(({ start, end, insert }) => ({
        from: at(start),
        to: at(end),
        insert: state.toText(insert),
      }))
      view.dispatch({
        changes,
        annotations: isolateHistory.of('full'),
        effects: EditorView.scrollIntoView(changes[0]!.from, { y: 'center' }),
        userEvent: 'input.preview',
      })
    },
    undo: () => undo(view),
    redo: () => redo(view),
    /** Selects a text, or its first words. @returns whether it is there */
    find(text: string): boolean {
      const doc = view.state.sliceDoc()
      const words = text.split(/\s+/)
      const start = [text, ...[6, 3, 1].map((many) => words.slice(0, many).join(' '))].find(
        (part) => part !== '' && doc.includes(part),
      )
      if (start === undefined) return false
      const from = doc.indexOf(start)
      const at = positionsIn(view.state)
      select(at(from), at(from + start.length))
      return true
    },
    destroy: () => view.destroy(),
  }
}
export type Editor = ReturnType<typeof createEditor>

/** Offsets of the text as positions of the editor, to which each line break is one character. */
function positionsIn(state: EditorState): (offset: number) => number {
  if (state.lineBreak.length === 1) return (offset) => offset
  const text = state.sliceDoc()
  return (offset) => offset - (text.slice(0, offset).split(state.lineBreak).length - 1)
}

/** Scrolls the editor alone: below the preview of a phone, it would move the preview away. */
function scrollAlone(view: EditorView, { head }: { head: number }): boolean {
  if (view.hasFocus) return false
  const { scrollDOM } = view
  scrollDOM.scrollTop = view.lineBlockAt(head).top - scrollDOM.clientHeight / 2
  return true
}

/** Chromium would keep the colour of text that is typed over by a style, which the CSP blocks. */
const typeOverSelection = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { inputType, data } = event
    const range = selectedRange(view)
    if (inputType !== 'insertText' || data === null || range === null) return false
    event.preventDefault()
    const insert = view.state.toText(data.replace(/\r\n?|\n/g, view.state.lineBreak))
    view.dispatch({
      changes: { ...range, insert },
      selection: { anchor: range.from + insert.length },
      userEvent: 'input.type',
      scrollIntoView: true,
    })
    return true
  },
})

/** The selection in the document, which the editor may not have read yet. */
function selectedRange(view: EditorView): { from: number; to: number } | null {
  const selection = document.getSelection()
  if (view.composing || selection === null || selection.isCollapsed) return null
  const { anchorNode, anchorOffset, focusNode, focusOffset } = selection
  if (!view.contentDOM.contains(anchorNode) || !view.contentDOM.contains(focusNode)) return null
  const anchor = view.posAtDOM(anchorNode!, anchorOffset)
  const focus = view.posAtDOM(focusNode!, focusOffset)
  return { from: Math.min(anchor, focus), to: Math.max(anchor, focus) }
}

export function languageOf(path: string, isMarkdown: boolean): Extension {
  if (isMarkdown) return markdownLanguage
  if (/\.css$/i.test(path)) return css()
  if (/\.json$/i.test(path)) return javascriptLanguage
  if (/\.m?js$/i.test(path)) return javascript()
  return html()
}

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
    const words = `data:${this.type}, ${formatBytes(this.size)}`
    return h('span', { class: 'cm-foldedData' }, words)
  }
}

function foldsIn(doc: Text, from = 0, to = doc.length): Range<Decoration>[] {
  return [...doc.sliceString(from, to).matchAll(DATA_URI)].map((match) => {
    const at = from + match.index
    const size = match[0].length
    const widget = new Folded(match[1] ?? '', size)
    return Decoration.replace({ widget }).range(at, at + size)
  })
}

/** The colours of Markdown: headings, marks at the start of a line, code, links and emphasis. */
const markdownLanguage = StreamLanguage.define<{ fence: string | null }>({
  startState: () => ({ fence: null }),
  token(stream, state) {
    const fence = stream.sol() ? markOf(stream, /^[ \t>]*(```+|~~~+)/) : undefined
    if (fence !== undefined && (state.fence === null || fence.startsWith(state.fence))) {
      state.fence = state.fence === null ? fence : null
      stream.skipToEnd()
      return 'meta'
    }
    if (state.fence !== null) {
      stream.skipToEnd()
      return 'string'
    }
    if (stream.sol() && stream.match(/^ {0,3}#{1,6}[ \t].*/)) return 'keyword'
    if (stream.sol() && stream.match(/^[ \t]*(?:[-*+]|\d{1,9}[.)]|>)(?=[ \t])/)) return 'atom'
    if (stream.match(/^(`+)[^`]+\1/) || stream.match(/^\$[^$\s][^$]*\$/)) return 'string'
    if (stream.match(/^<!--.*?-->/)) return 'comment'
    if (stream.match(/^!?\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])/)) return 'propertyName'
    if (stream.match(/^(\*\*|__|~~)(?!\s)[^*_~]+\1/)) return 'className'
    if (stream.match(/^\w+/) === null) stream.next()
    return null
  },
})

function markOf(stream: StringStream, pattern: RegExp): string | undefined {
  const match = stream.match(pattern)
  return match === null || typeof match === 'boolean' ? undefined : match[1]
}
