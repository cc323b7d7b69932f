import { useMutationState } from '@tanstack/preact-query'
import { Download, X } from 'lucide-preact'
import { useLocation, useRoute, useSearch } from 'wouter-preact'
import { deletion } from '../../../../src/model/deletion.ts'
import { count, formatBytes } from '../../../../src/model/numbers.ts'
import { api, type Page } from '../../api.ts'
import { useSearchText } from '../../hooks.ts'
import { useArrivals } from '../../ui/arrivals.tsx'
import { Button, buttonClass, QuietButton } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Confirm, openDialog } from '../../ui/dialog.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { NewTabLink } from '../../ui/link.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { Empty, Pending } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { useAction } from '../../use-action.ts'
import { useClosing } from '../use-page.ts'
import type { Field, Report, ResponseRecord } from './report.ts'
import { ResponsePanel } from './response.tsx'
import { Summaries } from './summaries.tsx'
import { ResponseTable, rowsOfItems, rowsOfResponses } from './table.tsx'
import {
  parametersOf,
  type ResponseQuery,
  type ResponseView,
  useResponses,
  useResponseView,
} from './use-responses.ts'
import { choiceText, fieldName, senderOf, shareOf } from './values.ts'

const MAX_TEXT = 200

const KEY = 'delete-response'

const FORM = `<form data-service data-success="Thank you.">
  <label>Name <input name="name" required></label>
  <label>Guests <input type="number" name="guests"></label>
  <button>Send</button>
</form>`

export default function ResponsesTab({ page }: { page: Page }) {
  const view = useResponseView()
  const { openId, open } = useOpenResponse(page.id)
  const result = useResponses(page, view, openId)
  const { report, error, refetch } = result
  const sentAt = report?.responses.map(({ submitted_at: at }) => at)
  const isNew = useArrivals(`${page.id}:responses`, sentAt)
  const removal = useDeletion(page.id)
  if (report === undefined) {
    return (
      <div className="grid grid-cols-1 justify-items-start gap-3">
        <Pending error={error} onRetry={refetch} rows={8} />
        {error && view.isFiltered && <Button onClick={view.clear}>Show all</Button>}
      </div>
    )
  }
  const { status } = report
  if (status.count === 0) {
    return (
      <div className="grid grid-cols-1 gap-4">
        {status.collecting && <Status page={page} status={status} query={view.query} />}
        <NoResponses page={page} isCollecting={status.collecting} />
      </div>
    )
  }
  const isSplit = report.explode !== null
  const rows =
    report.explode === null
      ? rowsOfResponses(result.responses)
      : rowsOfItems(result.rows, result.responses, report.explode)
  const fields = isSplit ? report.row_fields : report.fields
  const askToDelete = (response: Pick<ResponseRecord, 'id' | 'name' | 'respondent'>) =>
    openDialog(
      <Confirm
        {...deletion('this response')}
        onConfirm={() => {
          if (response.id === openId) open(null)
          removal.remove(response.id)
        }}
      >
        <p>
          <bdi>{senderOf(response)}</bdi> sent it, and can then respond again.
        </p>
      </Confirm>,
    )
  return (
    <div className="grid grid-cols-1 gap-6">
      <Status page={page} status={status} query={view.query} />
      <Summaries
        summaries={isSplit ? report.row_summaries : report.summaries}
        choices={view.query.choices}
        onToggle={view.toggle}
      />
      <Filters view={view} report={report} fields={fields} />
      <div className="flex items-start gap-6">
        <div
          aria-busy={result.isPlaceholderData}
          className="min-w-0 flex-1 transition-opacity aria-busy:opacity-60"
        >
          <ResponseTable
            fields={fields}
            rows={rows.filter(({ id }) => !removal.isLeaving(id))}
            openId={openId}
            hasItems={isSplit}
            isNew={isNew}
            onOpen={open}
            onDelete={askToDelete}
          />
          <More {...{ result, report }} isFiltered={view.isFiltered} rowCount={rows.length} />
        </div>
        {result.open && (
          <ResponsePanel
            response={result.open}
            fields={report.fields}
            onClose={() => open(null)}
            onDelete={() => askToDelete(result.open!)}
          />
        )}
      </div>
    </div>
  )
}

function useOpenResponse(pageId: string) {
  const [, navigate] = useLocation()
  const search = useSearch()
  const [, params] = useRoute<{ item: string }>('/pages/:id/responses/:item')
  const query = search === '' ? '' : `?${search}`
  return {
    openId: params?.item ?? null,
    open: (id: string | null) =>
      navigate(`/pages/${pageId}/responses${id === null ? '' : `/${id}`}${query}`),
  }
}

interface MoreProps {
  result: ReturnType<typeof useResponses>
  isFiltered: boolean
  rowCount: number
  report: Report
}

function More({ result, isFiltered, rowCount, report }: MoreProps) {
  const what = report.explode === null ? 'response' : 'row'
  const total = what === 'response' ? report.total : report.row_total
  const matches = result.hasNextPage ? total : rowCount
  return (
    <>
      {(isFiltered || rowCount === 0) && !result.isPlaceholderData && (
        <p role="status" className="mt-3 text-13 text-muted">
          {rowCount === 0 ? `No ${what} matches.` : `${count(matches, what)} found.`}
        </p>
      )}
      <ShowMore query={result} className="mt-3" />
    </>
  )
}

/** Deletes responses: gone at once, and back with a message where the server refuses it. */
function useDeletion(pageId: string) {
  const mutationKey = [KEY, pageId]
  const leaving = useMutationState({
    filters: { mutationKey, status: 'pending' },
    select: ({ state }) => state.variables as string,
  })
  const { mutate } = useAction(
    (id: string) => api.deleteResponse({ id: pageId, response_id: id }),
    { mutationKey, refresh: [['responses', pageId]] },
  )
  return { isLeaving: (id: string) => leaving.includes(id), remove: mutate }
}

/** Nobody has answered: how to collect, or where to send people. */
function NoResponses({ page, isCollecting }: { page: Page; isCollecting: boolean }) {
  if (isCollecting) {
    return (
      <Empty title="No responses yet">
        <p>The page collects them. They show here by themselves as they come in.</p>
        <CopyButton text={page.url} label="Copy link" />
      </Empty>
    )
  }
  return (
    <Empty title={page.is_published ? 'This page collects nothing yet' : 'Not published yet'}>
      <p>
        Mark a form with <code className="text-13">data-service</code> and publish: what people send
        shows here, without an address, a key or a script.
      </p>
      <pre className="max-w-full break-words whitespace-pre-wrap rounded-card border border-line bg-raised p-4 text-13">
        {FORM}
      </pre>
      <div className="flex flex-wrap items-center gap-3">
        <CopyButton text={FORM} label="Copy form" />
        <NewTabLink href="/docs/forms" className="link">
          More about forms
        </NewTabLink>
      </div>
    </Empty>
  )
}

interface StatusProps {
  page: Page
  status: Report['status']
  query: ResponseQuery
}

function Status({ page, status, query }: StatusProps) {
  const { count, bytes, max_count: maxCount, max_bytes: maxBytes } = status
  const { closesAt, isClosed, close, reopen } = useClosing(page, 'responses_closed_at')
  const isFull = count >= maxCount || bytes >= maxBytes
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <p className="text-muted tabular-nums">
        <span className="text-ink">{shareOf(count, maxCount)} responses</span> ·{' '}
        {formatBytes(bytes)} of {formatBytes(maxBytes)}
        {isFull && (
          <span className="text-danger"> · Full: people who have not responded are refused</span>
        )}
        <Time words={isClosed ? ' · Closed' : ' · Closes'} at={closesAt} />
      </p>
      <div className="flex flex-wrap gap-2">
        {count > 0 && (
          <a href={fileAddress(page.id, query)} download className={buttonClass()}>
            <Download size={16} />
            Download CSV
          </a>
        )}
        <Button onClick={isClosed ? reopen : close}>
          {isClosed ? 'Reopen responses' : 'Close responses'}
        </Button>
      </div>
    </div>
  )
}

/** The browser itself saves the file, as it arrives. */
function fileAddress(id: string, query: ResponseQuery): string {
  return `/app/pages/${id}/responses.csv?${new URLSearchParams(parametersOf(query))}`
}

interface FiltersProps {
  view: ResponseView
  report: Report
  /** Of the columns and of the items, where a list is split. */
  fields: readonly Field[]
}

function Filters({ view, report, fields }: FiltersProps) {
  const { isFiltered, query, day, setDay, setSplit, setText, toggle, clear } = view
  const [text, onText] = useSearchText(query.text, setText)
  // If nothing matches, nothing can be split, but the chosen split stays visible.
  const lists = new Set([...report.explodable, ...(query.split === null ? [] : [query.split])])
  return (
    <div className="flex flex-wrap items-end gap-3">
      <div className="w-full sm:w-64">
        <TextField
          type="search"
          label="Filter"
          placeholder="Words in any answer"
          maxLength={MAX_TEXT}
          value={text}
          onText={onText}
        />
      </div>
      <div className="w-40">
        <TextField type="date" label="Since" value={day} onText={setDay} />
      </div>
      {lists.size > 0 && (
        <div className="w-44">
          <Select label="Split by" value={query.split ?? ''} onText={setSplit}>
            <option value="">No split</option>
            {[...lists].map((key) => (
              <option key={key} value={key}>
                {nameIn(report.fields, key)}
              </option>
            ))}
          </Select>
        </div>
      )}
      {query.choices.map((choice) => {
        const type = fields.find(({ key }) => key === choice.key)?.type
        const text = `${nameIn(fields, choice.key)}: ${choiceText(choice, type)}`
        return (
          <Button
            key={`${choice.key} ${choice.value}`}
            aria-label={`Do not filter by ${text}`}
            className="max-w-full"
            onClick={() => toggle(choice)}
          >
            <bdi className="truncate">{text}</bdi>
            <X size={14} className="shrink-0" />
          </Button>
        )
      })}
      {(isFiltered || day !== '') && <QuietButton onClick={clear}>Show all</QuietButton>}
    </div>
  )
}

function nameIn(fields: readonly Field[], key: string): string {
  const field = fields.find((one) => one.key === key)
  return field ? fieldName(field) : key
}
