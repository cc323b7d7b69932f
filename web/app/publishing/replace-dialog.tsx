import type { ReactNode } from 'preact/compat'
import { Link } from 'wouter-preact'
import { ApiError } from '../../../src/client/index.ts'
import { count, formatBytes } from '../../../src/model/numbers.ts'
import type { Page } from '../api.ts'
import { focusOnce } from '../hooks.ts'
import { Differences } from '../page/differences.tsx'
import { ContentFrame } from '../page/preview/content-frame.tsx'
import { Named } from '../page/preview/preview.tsx'
import type { Changes } from '../page/use-page.ts'
import { nameOf } from '../page/words.ts'
import { useStore } from '../store.ts'
import { Button, buttonClass, PrimaryButton, QuietButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Note, Problem } from '../ui/field.tsx'
import { Pending } from '../ui/states.tsx'
import { showToast } from '../ui/toast.tsx'
import { Notes } from '../ui/words.tsx'
import { publishSources } from './dropped.ts'
import { warningLines } from './publish.ts'
import { SendingLine } from './sending.tsx'
import { type Question, questions } from './stores.ts'
import { audienceOf, isPublic, type NewDraft, useReplacement } from './use-replacement.ts'

/** Asks whether what was dropped replaces the content of a page. */
export default function ReplaceDialog() {
  const [question] = useStore(questions)
  return question === undefined ? null : <QuestionDialog key={question.id} question={question} />
}

function QuestionDialog({ question }: { question: Question }) {
  const replacement = useReplacement(question)
  const { look, draft, update } = replacement
  const close = () => questions.set(questions.get().filter((one) => one !== question))

  function leave(): void {
    update.cancel()
    close()
    if (draft === null) return
    const { is_published: isPublished } = draft.page
    const effect = isPublished ? 'What visitors see has not changed.' : 'Only you see it.'
    showToast(`Kept as a draft. ${effect}`)
  }
  const stage = { question, replacement, close, leave }
  return (
    <Dialog
      title={draft === null ? 'Update this page?' : 'What differs'}
      isWide={draft !== null}
      isFull={draft !== null && draft.page.file !== null}
      onClose={leave}
      actions={look.data && !update.isPending && <Actions {...stage} />}
    >
      <div className="grid gap-4">
        {look.data === undefined ? (
          <Pending error={look.error} onRetry={look.refetch} rows={2} />
        ) : draft === null ? (
          <About {...stage} />
        ) : (
          <Comparison draft={draft} before={look.data.page} />
        )}
        <Failure {...stage} />
        {update.isPending && (
          <SendingLine
            label={`Sending ${sourceName(question)}`}
            progress={update.progress}
            words="Saving the draft"
            onCancel={update.cancel}
          />
        )}
      </div>
    </Dialog>
  )
}

interface StageProps {
  question: Question
  replacement: ReturnType<typeof useReplacement>
  close(): void
  /** Closes it, and keeps what was made so far. */
  leave(): void
}

function sourceName({ sources: [first, ...others] }: Question): string {
  return others.length === 0 ? first!.name : `${first!.name} and ${count(others.length, 'other')}`
}

/** What each of the choices does, before anything is done. */
function About({ question, replacement }: StageProps) {
  const { page, problem } = replacement.look.data!
  const name = `“${nameOf(page)}”`
  return (
    <>
      {question.isNamesake && <p dir="auto">There is a page {name} already.</p>}
      {problem === null ? (
        <p className="break-words" dir="auto">
          {question.sources[0]!.name} becomes a new draft of {name}, compared with{' '}
          {page.is_published ? 'what is live' : 'the draft before'}.{' '}
          {page.is_published
            ? 'Nobody sees it until you publish it. Link, access and settings stay.'
            : 'It stays a draft that only you see.'}
        </p>
      ) : (
        <p className="break-words" dir="auto">
          {problem}
        </p>
      )}
      {problem === null && page.is_published && page.has_unpublished_changes && (
        <Note>Its draft has changes that are not published: they stay among the versions.</Note>
      )}
      <Note>{aboutNew(question, isPublic(page), name)}</Note>
    </>
  )
}

function aboutNew({ form, sources }: Question, isOpen: boolean, name: string): string {
  const what = sources.length === 1 ? 'A new page' : `Each of ${sources.length} new pages`
  if (form !== null) return `${what} is made by the form.`
  if (isOpen) return `${what} has a link of its own, and anyone with the link can open it.`
  return `${what} is a draft that only you see, since ${name} is not open to everyone.`
}

function Actions(stage: StageProps) {
  const { draft, isOvertaken, lookAgain } = stage.replacement
  if (!isOvertaken) return draft === null ? <Choices {...stage} /> : <Ways {...stage} />
  return (
    <PrimaryButton ref={focusOnce} onClick={() => void lookAgain()}>
      Look again
    </PrimaryButton>
  )
}

function Choices({ question, replacement, close }: StageProps) {
  const { look, update } = replacement
  const { page, problem } = look.data!
  const isRefused = problem !== null

  function makeNew(): void {
    close()
    const { form, sources } = question
    if (form !== null) form([...sources])
    else publishSources(sources, isPublic(page) ? {} : { publish: false })
  }
  return (
    <>
      {isRefused && page.kind === 'bundle' && (
        <Link href={`/pages/${page.id}/edit`} onClick={close} className={buttonClass()}>
          Edit its files
        </Link>
      )}
      <Button
        look={isRefused ? 'primary' : 'plain'}
        ref={isRefused ? focusOnce : null}
        onClick={makeNew}
      >
        {question.sources.length === 1 ? 'New page' : `${question.sources.length} new pages`}
      </Button>
      {!isRefused && (
        <PrimaryButton ref={focusOnce} onClick={() => update.mutate(look.data!)}>
          Update this page
        </PrimaryButton>
      )}
    </>
  )
}

/** The new draft beside what is live: the words, the files of a deck, or both files. */
function Comparison({ draft, before }: { draft: NewDraft; before: Page }) {
  const { page, changes, warnings, leftOut } = draft
  const { from_version_no: from } = changes
  const notes = [...warningLines(warnings), ...leftOut]
  return (
    <>
      {isSame(draft) ? (
        <p>Nothing differs: it is {before.is_published ? 'live' : 'the draft'} already.</p>
      ) : (
        <>
          <p className="break-words" dir="auto">
            {summaryOf(page, changes)} Compared with{' '}
            {before.is_published ? 'what is live' : 'the draft before'}.
          </p>
          {page.file === null ? (
            <Differences changes={changes} />
          ) : (
            <div className="grid h-[52dvh] gap-4 sm:grid-cols-2">
              <Named name={before.is_published ? 'Live' : 'Before'}>
                <ContentFrame page={page} version={from} title="Before" width="phone" />
              </Named>
              <Named name="Draft">
                <ContentFrame page={page} width="phone" />
              </Named>
            </div>
          )}
        </>
      )}
      {notes.length > 0 && <Notes notes={notes} className="text-13 text-muted" />}
      {page.closed_by !== null && <Note>Open to {page.open_to}.</Note>}
    </>
  )
}

function isSame({ changes }: NewDraft): boolean {
  return changes.from_version_no === changes.to_version_no
}

function summaryOf({ kind, file }: Page, changes: Changes): string {
  if (file !== null) return `${file.name}, ${formatBytes(file.size_bytes)}.`
  if (kind !== 'bundle') return `${count(changes.passages, 'passage differs', 'passages differ')}.`
  const parts = (['added', 'changed', 'removed'] as const).flatMap((state) => {
    const number = changes.files.filter((file) => file.state === state).length
    return number === 0 ? [] : [`${count(number, 'file')} ${state}`]
  })
  return parts.length === 0 ? 'Another file opens first.' : `${parts.join(', ')}.`
}

/** What can be done with the new draft. Each button says for whom. */
function Ways({ replacement, close, leave }: StageProps): ReactNode {
  const { draft, publish, undo } = replacement
  const { page } = draft!
  const isBusy = publish.isPending || undo.isPending
  if (isSame(draft!)) {
    return (
      <PrimaryButton ref={focusOnce} onClick={close}>
        Close
      </PrimaryButton>
    )
  }
  return (
    <>
      <QuietButton
        className="mr-auto"
        disabled={isBusy}
        onClick={() => undo.mutate(undefined, { onSuccess: close })}
      >
        Undo
      </QuietButton>
      <Button
        look={page.is_published ? 'plain' : 'primary'}
        ref={page.is_published ? null : focusOnce}
        disabled={isBusy}
        onClick={leave}
      >
        Keep as a draft
      </Button>
      {page.is_published && (
        <PrimaryButton
          ref={focusOnce}
          disabled={isBusy}
          onClick={() => publish.mutate(undefined, { onSuccess: close })}
        >
          Publish for {audienceOf(page)}
        </PrimaryButton>
      )}
    </>
  )
}

/** What went wrong. The file that was dropped is still here, for another attempt. */
function Failure({ question, replacement }: StageProps) {
  const { look, draft, error, isOvertaken } = replacement
  const code = error instanceof ApiError ? error.code : null
  if (code === 'page_not_found' || code === 'in_trash') {
    const where = code === 'in_trash' ? 'is in the trash' : 'was deleted'
    const cure = `${sourceName(question)} is still here: make it a new page.`
    return <Problem className="" error={`The page ${where} meanwhile. ${cure}`} />
  }
  if (!isOvertaken) return <Problem error={error} className="" />
  const name = `“${nameOf(look.data!.page)}”`
  const outcome = draft === null ? 'Nothing of it was replaced' : 'Nothing was published'
  const place = `${sourceName(question)} is still here${draft ? ' and among its versions' : ''}`
  const why = `Another tab, person or program has changed ${name} meanwhile.`
  return <Problem className="" error={`${why} ${outcome}, and ${place}.`} />
}
