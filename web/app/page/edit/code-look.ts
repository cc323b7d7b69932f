import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** The colours of code, from those of the accents: each reads on paper, in light and dark. */
const COLOURS = {
  blue: 'light-dark(#1f5fbf, #8ab4f5)',
  green: 'light-dark(#2b6e3f, #7cc791)',
  violet: 'light-dark(#7038ad, #c49bf0)',
  amber: 'light-dark(#86590a, #e5b450)',
  teal: 'light-dark(#0b6b6b, #5fc4c0)',
}

const code = HighlightStyle.define([
  { tag: [tags.tagName, tags.angleBracket, tags.keyword], color: COLOURS.blue },
  { tag: [tags.attributeName, tags.propertyName], color: COLOURS.violet },
  { tag: [tags.attributeValue, tags.string, tags.special(tags.string)], color: COLOURS.green },
  { tag: [tags.number, tags.bool, tags.atom, tags.unit, tags.color], color: COLOURS.amber },
  { tag: [tags.className, tags.labelName, tags.typeName], color: COLOURS.teal },
  { tag: [tags.comment, tags.meta, tags.documentMeta], color: 'var(--muted)' },
  { tag: tags.invalid, color: 'var(--danger)' },
])

const SELECTION = { backgroundColor: 'color-mix(in srgb, var(--accent) 24%, transparent)' }

const frame = EditorView.theme({
  '&': { height: '100%', fontSize: 'var(--size-13)', backgroundColor: 'var(--raised)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6', fontVariantLigatures: 'none' },
  '.cm-content': { caretColor: 'var(--ink)', padding: '8px 0' },
  '.cm-line': { padding: '0 12px 0 8px' },
  '.cm-gutters': {
    backgroundColor: 'var(--raised)',
    color: 'var(--muted)',
    border: 'none',
    fontVariantNumeric: 'tabular-nums',
  },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--sunk) 60%, transparent)' },
  '.cm-activeLineGutter': { backgroundColor: 'var(--sunk)', color: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-selectionBackground': SELECTION,
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': SELECTION,
  '.cm-selectionMatch': { backgroundColor: 'color-mix(in srgb, var(--accent) 14%, transparent)' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 18%, transparent)',
  },
  '.cm-searchMatch': { backgroundColor: 'light-dark(#f6dfa4, #5d4a17)' },
  '.cm-searchMatch-selected': { outline: '2px solid var(--accent)' },
  '.cm-foldPlaceholder, .cm-foldedData': {
    backgroundColor: 'var(--sunk)',
    border: '1px solid var(--line)',
    borderRadius: '4px',
    color: 'var(--muted)',
    padding: '0 5px',
  },
  '.cm-panels': { backgroundColor: 'var(--paper)', color: 'var(--ink)', zIndex: '1' },
  '.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  // Two rows: what to find and how, and what to put in its place.
  '.cm-panel.cm-search': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: '6px 8px',
    padding: '10px 40px 10px 12px',
    fontFamily: 'var(--sans)',
    fontSize: 'var(--size-13)',
  },
  '.cm-panel.cm-search > *': { margin: '0' },
  '.cm-panel.cm-search br': { content: '""', flexBasis: '100%' },
  '.cm-panel.cm-search label': {
    display: 'inline-flex',
    alignItems: 'center',
    gap: '6px',
    fontSize: 'var(--size-13)',
  },
  '.cm-panel.cm-search input[type=checkbox]': { margin: '0' },
  '.cm-panel.cm-search .cm-textfield': { flex: '1 1 10rem', maxWidth: '18rem' },
  '.cm-panel.cm-search [name=close]': {
    top: '10px',
    right: '8px',
    fontSize: 'var(--size-21)',
    width: '32px',
    height: '32px',
    color: 'var(--muted)',
  },
  '.cm-textfield, .cm-button': {
    minHeight: '32px',
    border: '1px solid var(--control)',
    borderRadius: 'var(--radius-control)',
    backgroundColor: 'var(--raised)',
    fontSize: 'var(--size-13)',
    padding: '3px 10px',
  },
  '.cm-button': {
    borderColor: 'var(--line)',
    backgroundImage: 'none',
    fontFamily: 'var(--sans)',
    fontWeight: '500',
  },
  '.cm-button:hover': { backgroundColor: 'var(--sunk)' },
  '.cm-collapsedLines': { background: 'var(--sunk)', color: 'var(--muted)' },
  '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: 'none' },
  '.cm-changedLine, .cm-insertedLine': { backgroundColor: 'light-dark(#e6f1e6, #1d2b20)' },
  '.cm-deletedChunk, .cm-deletedLine': { backgroundColor: 'light-dark(#fae8e5, #33201d)' },
  '.cm-changedText': {
    background: 'none',
    textDecoration: 'underline 2px light-dark(#2b6e3f, #7cc791)',
    textUnderlineOffset: '3px',
  },
  '.cm-deletedText': { background: 'none', textDecoration: 'line-through 2px var(--danger)' },
})

/** The words of the search, as those of our buttons. */
const WORDS = {
  next: 'Next',
  previous: 'Previous',
  all: 'Select all',
  'match case': 'Match case',
  regexp: 'Pattern',
  'by word': 'Whole words',
  replace: 'Replace',
  'replace all': 'Replace all',
  Replace: 'Replace with',
  close: 'Close the search',
  'Go to line': 'Line',
  go: 'Go',
}

export const look = [frame, syntaxHighlighting(code), EditorState.phrases.of(WORDS)]
