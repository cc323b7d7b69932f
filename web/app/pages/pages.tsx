import { Plus } from 'lucide-preact'
import { type ReactNode, useState } from 'preact/compat'
import { Link, useLocation, useSearch } from 'wouter-preact'
import { useBoot } from '../account.ts'
import { api } from '../api.ts'
import { Connect, NewKey } from '../connect/connect.tsx'
import { Screen } from '../frame/screen.tsx'
import { NO_PAGE, newPage } from '../new-page/draft.ts'
import { PasskeyHint } from '../passkeys/hint.tsx'
import { publishSources } from '../publishing/dropped.ts'
import { SourceButtons } from '../publishing/source-buttons.tsx'
import { createStore, useStore } from '../store.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { TextArea } from '../ui/field.tsx'
import { Empty, Pending } from '../ui/states.tsx'
import { useAction } from '../use-action.ts'
import { type Filters, filtersIn, isNarrowed, queryOf } from './filters.ts'
import { List } from './list.tsx'
import { useList } from './use-list.ts'

/** A key that was made since the document was loaded; null once it is stored; undefined before. */
const newKey = createStore<string | null | undefined>(undefined)

export function PagesScreen() {
  const [filters, setFilters] = useFilters()
  const list = useList(filters)
  const { key, putAway } = useNewKey()
  const { pages, data, isPending, isError, error, isPlaceholderData, refetch } = list
  const hasFailed = list.errorUpdateCount > 0
  const isEmpty = !isPending && !isError && !isPlaceholderData && pages.length === 0
  if (isEmpty && !isNarrowed(filters)) return <FirstPage />
  return (
    <Screen title="Pages" action={<NewPage />}>
      <PasskeyHint />
      {key !== null && (
        <div className="mb-6 max-w-2xl">
          <NewKey apiKey={key} onStored={putAway} />
        </div>
      )}
      {(!isPending || hasFailed) && <List list={list} filters={filters} onFilters={setFilters} />}
      {data === undefined && <Pending error={error} onRetry={refetch} />}
      {isEmpty && (
        <Empty title={filters.state === 'trash' ? 'The trash is empty' : 'No page matches'}>
          <Button onClick={() => setFilters({})}>Show all pages</Button>
        </Empty>
      )}
    </Screen>
  )
}

function NewPage() {
  return (
    <Link href="/new" className={buttonClass('primary')} role="button">
      <Plus size={16} />
      New page
    </Link>
  )
}

/** The filters of the address. What is typed replaces the entry of the history. */
function useFilters(): [Filters, (filters: Filters, isTyping?: boolean) => void] {
  const query = useSearch()
  const [, navigate] = useLocation()
  return [
    filtersIn(query),
    (filters, isTyping = false) => {
      const next = queryOf(filters)
      navigate(next === '' ? '' : `?${next}`, { replace: isTyping })
    },
  ]
}

/** Shown instead of the list while there is no page: the ways to make the first. */
function FirstPage() {
  return (
    <Screen title="Pages" action={<NewPage />}>
      <p className="-mt-3 mb-8 max-w-xl text-muted">
        Nothing is published yet. Make the first page in one of three ways.
      </p>
      <PasskeyHint />
      <div className="@container grid gap-12">
        <div className="grid gap-6 @min-[47.5rem]:grid-cols-2">
          <Drop />
          <Paste />
        </div>
        <Programs />
      </div>
    </Screen>
  )
}

function Drop() {
  return (
    <Way title="Drop something">
      <div className="grid min-h-56 flex-1 place-content-center justify-items-center gap-4 rounded-card border border-dashed border-control p-6 text-center">
        <p className="max-w-72 text-muted">
          HTML, Markdown, a folder, a zip, a PDF or images. Anyone with the link can open it.
        </p>
        <div className="flex flex-wrap justify-center gap-2">
          <SourceButtons onChoose={publishSources} />
        </div>
      </div>
    </Way>
  )
}

function Paste() {
  const [, navigate] = useLocation()
  const [text, setText] = useState('')
  function goOn(): void {
    newPage.set({ ...NO_PAGE, html: text })
    navigate('/new')
  }
  return (
    <Way title="Or paste it">
      <TextArea
        label="HTML"
        isLabelHidden
        spellcheck={false}
        dir="auto"
        placeholder="HTML or Markdown"
        value={text}
        onText={setText}
        className="min-h-42 font-mono text-13!"
      />
      <div>
        <Button disabled={text.trim() === ''} onClick={goOn}>
          Continue
        </Button>
      </div>
    </Way>
  )
}

/** What to paste into a program, with the key: of the set-up, or one that is made here. */
function Programs() {
  const { key, show: onDone } = useNewKey()
  const make = useAction(async () => (await api.createKey({ name: null })).data.key, { onDone })
  return (
    <Way title="Or let a program publish">
      {key === null ? (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button mutation={make}>Make a key</Button>
          <p className="text-muted">An agent, a shell or the command line acts for you with it.</p>
        </div>
      ) : (
        <NewKey apiKey={key} />
      )}
      <Connect apiKey={key} />
    </Way>
  )
}

function Way({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex min-w-0 flex-col gap-3">
      <h2 className="font-serif text-21 font-medium">{title}</h2>
      {children}
    </section>
  )
}

/** The key that the set-up or this screen has just made, until it is dismissed. */
function useNewKey() {
  const { new_key: ofSetUp } = useBoot()
  const own = useStore(newKey)
  return {
    key: own === undefined ? ofSetUp : own,
    show: (key: string) => newKey.set(key),
    putAway: () => newKey.set(null),
  }
}
