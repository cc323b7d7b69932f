import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import {
  describeEntry,
  describeLeftOut,
  mayLackFiles,
} from '../../../src/client/content/left-out.ts'
import { ApiError } from '../../../src/client/index.ts'
import { useAccount } from '../account.ts'
import { messageOf } from '../api.ts'
import { Screen } from '../frame/screen.tsx'
import { dropTarget, usePublishSources } from '../publishing/drop-zone.tsx'
import type { Progress } from '../publishing/publish.ts'
import { useStore } from '../store.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { count } from '../ui/text.ts'
import { showToast } from '../ui/toast.tsx'
import { AccessField, accessSettings } from './access-field.tsx'
import { ContentField } from './content-field.tsx'
import { isInUse, type NewPage, NO_PAGE, newPage } from './draft.ts'
import { Sending } from './sending.tsx'

/** Makes a page of what is pasted, typed or chosen. */
export default function NewPageScreen() {
  const draft = useStore(newPage)
  const set = (change: Partial<NewPage>) => newPage.set({ ...newPage.get(), ...change })
  const { mutate, error, isPending, progress, cancel } = useMakePage()
  const publishSources = usePublishSources()
  const [, navigate] = useLocation()
  useEffect(() => {
    dropTarget.set((sources) => newPage.set({ ...newPage.get(), sources }))
    return () => dropTarget.set(null)
  }, [])
  const isMany = draft.sources.length > 1
  const problem = error && error.name !== 'AbortError' ? error : null
  const param = problem instanceof ApiError ? problem.param : undefined
  const isAbout = (name: string) => (param === name ? messageOf(problem) : null)

  function submit(isDraft: boolean): void {
    if (!isMany) {
      mutate(isDraft)
      return
    }
    publishSources(draft.sources)
    newPage.set(NO_PAGE)
    navigate('')
  }
  return (
    <Screen title="New page">
      <form
        className="grid max-w-2xl gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          submit(false)
        }}
      >
        <ContentField draft={draft} onChange={set} />
        {!isMany && (
          <>
            <TextField
              label="Title"
              help="Left empty, it is taken from the page."
              maxLength={200}
              dir="auto"
              autoComplete="off"
              value={draft.title}
              onChange={({ target }) => set({ title: target.value })}
              error={isAbout('title')}
            />
            <AccessField draft={draft} onChange={set} errorOf={isAbout} />
          </>
        )}
        {problem && !['title', 'password', 'allowed_emails'].includes(param ?? '') && (
          <p role="alert" className="text-danger">
            {messageOf(problem)}
          </p>
        )}
        {isPending ? (
          <Sending progress={progress} onCancel={cancel} />
        ) : (
          <div className="flex flex-wrap gap-2">
            <Button type="submit" look="primary" disabled={!isInUse()}>
              {isMany ? `Publish ${count(draft.sources.length, 'page')}` : 'Publish'}
            </Button>
            {!isMany && (
              <Button disabled={!isInUse()} onClick={() => submit(true)}>
                Save as draft
              </Button>
            )}
          </div>
        )}
      </form>
    </Screen>
  )
}

/** Publishes what the draft has, or saves it as a draft, and opens the page. */
function useMakePage() {
  const account = useAccount()
  const [, navigate] = useLocation()
  const [progress, setProgress] = useState<Progress | null>(null)
  const stop = useRef(new AbortController())
  const make = useMutation({
    mutationFn: async (isDraft: boolean) => {
      stop.current = new AbortController()
      setProgress(null)
      const { signal } = stop.current
      const draft = newPage.get()
      const [{ publish }, { readDraft }] = await Promise.all([
        import('../publishing/publish.ts'),
        import('./read-draft.ts'),
      ])
      const title = draft.title.trim()
      const settings = { ...accessSettings(draft), ...(title && { title }), publish: !isDraft }
      const options = { account, signal, onProgress: setProgress }
      const local = await readDraft(draft)
      const isLacking = local.kind === 'deck' && mayLackFiles(local)
      const leftOut = isLacking ? describeLeftOut(local) : []
      return { ...(await publish(local, settings, options)), leftOut }
    },
    onSuccess: ({ data, warnings, leftOut }) => {
      const { id, url, is_published: isPublished, entry_path: entryPath } = data
      newPage.set(NO_PAGE)
      navigate(`/pages/${id}`)
      const said = isPublished ? 'Published' : 'Saved as a draft: nobody sees it yet'
      const found = warnings.length === 0 ? '' : `, with ${count(warnings.length, 'warning')}`
      const opens = entryPath === null ? [] : [describeEntry(entryPath)]
      const all = [`${said}${found}`, ...opens, ...leftOut]
      showToast(all.length === 1 ? all[0]! : all.join(' '), isPublished ? { link: url } : {})
    },
  })
  return { ...make, progress, cancel: () => stop.current.abort() }
}
