import { useCallback, useEffect, useRef, useState } from 'react'
import type { Page } from '../../boot.ts'
import { useKeys } from '../../frame/keys.ts'
import { useStore } from '../../store.ts'
import { CodeField } from './code-field.tsx'
import type { Editor, Place } from './code-mirror.ts'
import { ConflictDialog } from './conflict.tsx'
import { isHtmlPath, textOf } from './draft.ts'
import { EditBar } from './edit-bar.tsx'
import { FileTree } from './file-tree.tsx'
import { FindInFiles } from './find-in-files.tsx'
import { LivePreview } from './live-preview.tsx'
import { Notes } from './notes.tsx'
import type { EditSession } from './session.ts'
import { useGuards } from './use-guards.ts'
import { Warnings } from './warnings.tsx'

/** The editor with everything around it. */
export function EditScreen({ page, session }: { page: Page; session: EditSession }) {
  const state = useStore(session)
  const { work, conflict } = state
  const [chosen, setChosen] = useState(work.entry)
  const [isFinding, setFinding] = useState(false)
  const [isComparing, setComparing] = useState(true)
  const editor = useRef<Editor | null>(null)
  const isDeck = work.kind === 'bundle'
  const all = [...work.files, ...work.assets]
  const open = all.some(({ path }) => path === chosen) ? chosen : work.entry
  useGuards(page, session)

  const goTo = useCallback((path: string, place: Place) => {
    setChosen(path)
    // The editor shows the file with the next rendering.
    setTimeout(() => editor.current?.goTo(place))
  }, [])
  useKeys({
    'mod+s': () => void session.save(),
    ...(isDeck && { 'mod+shift+f': () => setFinding(true) }),
  })
  // The comparison opens by itself when somebody else has changed the draft.
  useEffect(() => {
    if (conflict !== null) setComparing(true)
  }, [conflict])

  const shownHtml = isHtmlPath(open) ? open : work.entry
  return (
    <div className="grid gap-3">
      <EditBar page={page} session={session} onFind={isDeck ? () => setFinding(true) : null} />
      <Notes session={session} onCompare={() => setComparing(true)} />
      <Warnings warnings={state.warnings} onGoTo={goTo} />
      {isFinding && (
        <FindInFiles session={session} onGoTo={goTo} onClose={() => setFinding(false)} />
      )}
      <div
        className={`grid gap-4 lg:h-[max(30rem,calc(100dvh-18rem))] ${isDeck ? 'md:grid-cols-[13rem_minmax(0,1fr)] lg:grid-cols-[13rem_minmax(0,1fr)_minmax(0,1fr)]' : 'lg:grid-cols-2'}`}
      >
        {isDeck && <FileTree page={page} session={session} open={open} onOpen={setChosen} />}
        <CodeField page={page} session={session} path={open} editorRef={editor} />
        <LivePreview
          page={page}
          session={session}
          path={shownHtml}
          html={textOf(work, shownHtml) ?? ''}
        />
      </div>
      {conflict !== null && isComparing && (
        <ConflictDialog session={session} theirs={conflict} onClose={() => setComparing(false)} />
      )}
    </div>
  )
}
