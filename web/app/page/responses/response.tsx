import { X } from 'lucide-preact'
import { type ReactNode, useEffect, useRef, useSyncExternalStore } from 'preact/compat'
import { count } from '../../../../src/model/numbers.ts'
import { exactTime } from '../../../time-words.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Note } from '../../ui/field.tsx'
import { ScrollArea } from '../../ui/scroll-area.tsx'
import { Words } from '../../ui/words.tsx'
import type { Field, ResponseRecord, Values } from './report.ts'
import { fieldName, memberOf, senderOf, valueText } from './values.ts'

interface ResponseProps {
  response: ResponseRecord
  fields: readonly Field[]
  onClose(): void
  onDelete(): void
}

const WIDE = matchMedia('(min-width: 68.75rem)')

function useIsWide(): boolean {
  return useSyncExternalStore(
    (changed) => {
      WIDE.addEventListener('change', changed)
      return () => WIDE.removeEventListener('change', changed)
    },
    () => WIDE.matches,
  )
}

/** One response with all of its data: beside the table, and over it where there is no space. */
export function ResponsePanel(props: ResponseProps) {
  const { response, onClose, onDelete } = props
  const title = senderOf(response)
  const content = <ResponseData {...props} />
  const actions = <Button onClick={onDelete}>Delete response</Button>
  if (!useIsWide()) {
    return (
      <Dialog title={title} onClose={onClose} actions={actions}>
        {content}
      </Dialog>
    )
  }
  return (
    <Beside key={response.id} title={title} onClose={onClose}>
      {content}
      <div>{actions}</div>
    </Beside>
  )
}

interface BesideProps {
  title: string
  onClose(): void
  children: ReactNode
}

function Beside({ title, onClose, children }: BesideProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    heading.current?.closest('aside')?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <aside
      aria-label="Response"
      onKeyDown={({ key }) => key === 'Escape' && onClose()}
      className="sticky top-6 grid max-h-[calc(100dvh-3rem)] w-90 shrink-0 content-start gap-4 overflow-y-auto rounded-card border border-line bg-raised p-5"
    >
      <header className="-mt-1 flex items-center justify-between gap-3">
        <h2
          ref={heading}
          tabIndex={-1}
          dir="auto"
          className="min-w-0 truncate font-serif text-21 font-medium"
        >
          {title}
        </h2>
        <IconButton label="Close" icon={X} size={18} onClick={onClose} />
      </header>
      {children}
    </aside>
  )
}

function ResponseData({ response, fields }: ResponseProps) {
  const { values, data } = response
  const answers = fields.filter(({ key }) => memberOf(values, key) !== undefined)
  const json = JSON.stringify(data, null, 2)
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4">
      <Facts response={response} />
      <dl className="grid grid-cols-1 gap-3">
        {answers.map((field) => (
          <div key={field.key} className="min-w-0">
            <dt className="truncate text-13 text-muted" dir="auto" title={field.key}>
              {fieldName(field)}
            </dt>
            <dd className="min-w-0">
              <Value value={memberOf(values, field.key)} />
            </dd>
          </div>
        ))}
      </dl>
      <details className="min-w-0 text-13">
        <summary className="text-muted">As JSON</summary>
        <ScrollArea
          as="pre"
          className="mt-2 max-h-80 overflow-auto rounded-control bg-sunk p-3 text-12 break-words whitespace-pre-wrap"
        >
          {json}
        </ScrollArea>
        <CopyButton look="quiet" text={json} label="Copy JSON" />
      </details>
    </div>
  )
}

function Facts({ response }: { response: ResponseRecord }) {
  const { respondent, name, submitted_at, submit_count: times, path, created_at } = response
  const facts = [
    name === null ? null : respondent,
    `Sent ${exactTime(submitted_at)}`,
    times > 1 ? `${count(times, 'time')}, first ${exactTime(created_at)}` : null,
    path === '' ? null : `From ${path}`,
  ]
  return <Note className="break-words">{facts.filter(Boolean).join(' · ')}</Note>
}

/** A value in full; the items of a list of objects one below the other. */
function Value({ value }: { value: Values | undefined }) {
  if (Array.isArray(value) && value.some((item) => typeof item === 'object' && item !== null)) {
    return (
      <ol className="grid grid-cols-1 gap-2">
        {value.map((item, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: items without identity
          <li key={at} className="border-l-2 border-line pl-3">
            <Item item={item} />
          </li>
        ))}
      </ol>
    )
  }
  const text = valueText(value)
  return text === '' ? <span className="text-muted">–</span> : <Words text={text} />
}

function Item({ item }: { item: Values }) {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    return <Words text={valueText(item)} />
  }
  return (
    <dl className="grid grid-cols-1 gap-0.5">
      {Object.entries(item).map(([key, value]) => (
        <div key={key} className="flex min-w-0 gap-2">
          <dt className="shrink-0 text-13 text-muted">{key}</dt>
          <dd className="min-w-0">
            <Words text={valueText(value)} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
