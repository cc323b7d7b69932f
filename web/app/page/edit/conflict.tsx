import { MergeView } from '@codemirror/merge'
import { EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { type RefObject, useEffect, useMemo, useRef, useState } from 'preact/compat'
import { count } from '../../../../src/model/numbers.ts'
import { h } from '../../../elements.ts'
import { Button, PrimaryButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { basics, languageOf } from './code-mirror.ts'
import {
  type Draft,
  differingPaths,
  isMarkdownFile,
  isSameDraft,
  lineEndOf,
  mergeDrafts,
  textOf,
  withText,
} from './draft.ts'
import type { EditSession } from './session.ts'
import { COMPARE } from './visual/change.ts'

/** Both texts of a draft that was changed in two places: one is taken, or they are joined. */
export function ConflictDialog({ session, theirs }: { session: EditSession; theirs: Draft }) {
  const { base, work } = session.get()
  const close = () => session.compare(false)
  const { draft, conflicts } = useMemo(
    () =>
      // After a reload the common base of both texts is unknown, so all differences are shown.
      isSameDraft(base, theirs)
        ? { draft: work, conflicts: differingPaths(work, theirs) }
        : mergeDrafts(base, work, theirs),
    [base, work, theirs],
  )
  const isText = (path: string) => textOf(work, path) !== null && textOf(theirs, path) !== null
  const texts = conflicts.filter(isText)
  const others = conflicts.filter((path) => !isText(path))
  const [open, setOpen] = useState(texts[0] ?? '')
  const merged = useRef(draft)

  function end(result: Draft, isSaved: boolean): void {
    session.resolve(result)
    close()
    if (isSaved) void session.save()
  }
  return (
    <Dialog
      title="The draft was changed elsewhere"
      isFull
      onClose={close}
      actions={
        <>
          <Button onClick={() => end(theirs, false)}>Take theirs</Button>
          <PrimaryButton onClick={() => end(merged.current, true)}>Save mine</PrimaryButton>
        </>
      }
    >
      <p className="mb-3 max-w-2xl">
        While you were editing, another tab, person or program saved this draft. Left is theirs,
        right is yours: the arrows bring a part of theirs over, and you can type on the right. “Save
        mine” saves what stands on the right.
      </p>
      {texts.length > 1 && (
        <div className="mb-3 flex flex-wrap gap-2">
          {texts.map((path) => (
            <Button
              key={path}
              look={path === open ? 'plain' : 'quiet'}
              aria-pressed={path === open}
              onClick={() => setOpen(path)}
            >
              {path}
            </Button>
          ))}
        </div>
      )}
      {texts.length > 0 && <MergeField key={open} path={open} theirs={theirs} merged={merged} />}
      {others.length > 0 && (
        <p className="mt-3 text-13 text-muted">
          {count(others.length, 'other file')} differ, of which yours stay: {others.join(', ')}
        </p>
      )}
    </Dialog>
  )
}

interface MergeFieldProps {
  path: string
  theirs: Draft
  /** Mine, with what is brought over from theirs. */
  merged: RefObject<Draft>
}

function MergeField({ path, theirs, merged }: MergeFieldProps) {
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const mine = textOf(merged.current, path) ?? ''
    const common = [basics(), languageOf(path, isMarkdownFile(theirs, path))]
    const merge = new MergeView({
      parent: frame.current!,
      a: {
        doc: textOf(theirs, path) ?? '',
        extensions: [common, label('Their draft'), EditorState.readOnly.of(true)],
      },
      b: {
        doc: mine,
        extensions: [
          common,
          EditorState.lineSeparator.of(lineEndOf(mine)),
          label('Your draft'),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) merged.current = withText(merged.current, path, state.sliceDoc())
          }),
        ],
      },
      revertControls: 'a-to-b',
      renderRevertControl: revertButton,
      collapseUnchanged: { margin: 3, minSize: 6 },
      diffConfig: COMPARE,
    })
    return () => merge.destroy()
  }, [path, theirs, merged])
  return (
    <div
      ref={frame}
      className="h-[55dvh] overflow-auto rounded-card border border-line [&>*]:min-w-[40rem]"
    />
  )
}

function label(name: string) {
  return EditorView.contentAttributes.of({ 'aria-label': name, tabindex: '0' })
}

function revertButton(): HTMLElement {
  const name = 'Take this part of theirs'
  return h('button', { type: 'button', title: name, 'aria-label': name }, '→')
}
