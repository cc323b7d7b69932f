import { MergeView } from '@codemirror/merge'
import { EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { basics, languageOf } from './code-mirror.ts'
import { lineEndOf } from './line-ends.ts'

/** Large texts are compared roughly, so that the dialog opens at once. */
const COMPARE = { scanLimit: 1000, timeout: 500 }

interface MergeFieldProps {
  path: string
  theirs: string
  mine: string
  onChange(text: string): void
}

/** Two texts beside each other, with their differences; the right one is edited. */
export function MergeField({ path, theirs, mine, onChange }: MergeFieldProps) {
  const frame = useRef<HTMLDivElement>(null)
  const change = useRef(onChange)
  useEffect(() => {
    change.current = onChange
  })
  useEffect(() => {
    const shared = [basics(), languageOf(path)]
    const lineEnd = EditorState.lineSeparator.of(lineEndOf(mine))
    const merge = new MergeView({
      parent: frame.current!,
      a: {
        doc: theirs,
        extensions: [shared, named('Their draft'), EditorState.readOnly.of(true)],
      },
      b: {
        doc: mine,
        extensions: [
          shared,
          lineEnd,
          named('Your draft'),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) change.current(state.sliceDoc())
          }),
        ],
      },
      revertControls: 'a-to-b',
      renderRevertControl: () => revertButton(),
      collapseUnchanged: { margin: 3, minSize: 6 },
      diffConfig: COMPARE,
    })
    return () => merge.destroy()
  }, [path, theirs, mine])
  return <div ref={frame} className="h-[55dvh] overflow-auto rounded-card border border-line" />
}

function named(name: string) {
  return EditorView.contentAttributes.of({ 'aria-label': name, tabindex: '0' })
}

function revertButton(): HTMLElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = '→'
  button.title = 'Take this part of theirs'
  button.setAttribute('aria-label', 'Take this part of theirs')
  return button
}
