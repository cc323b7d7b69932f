import { useInfiniteQuery, useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/compat'
import { EVENT_TYPES, type EventType } from '../../../src/model/event-types.ts'
import { formatOf, type WebhookFormat } from '../../../src/model/webhook-formats.ts'
import { ApiError, api, type Output, read, readParts } from '../api.ts'
import { NewSecret } from '../connect/connect.tsx'
import { Button, PrimaryButton, SubmitButton } from '../ui/button.tsx'
import { ConfirmButton, Dialog, Form, openDialog, useClose } from '../ui/dialog.tsx'
import { Note, TextField } from '../ui/field.tsx'
import { List } from '../ui/list.tsx'
import { ScrollArea } from '../ui/scroll-area.tsx'
import { ListRow, RowList, Section } from '../ui/section.tsx'
import { Pending } from '../ui/states.tsx'
import { Switch } from '../ui/switch.tsx'
import { Time } from '../ui/time.tsx'
import { useAction } from '../use-action.ts'

const WEBHOOKS = ['webhooks']
const webhooksQuery = read(WEBHOOKS, () => api.listWebhooks(), 30_000)
type Webhook = Output<'getWebhook'>['data']
type Delivery = Output<'testWebhook'>['data']

const EVENTS: Record<EventType, string> = {
  comment: 'Comments',
  reply: 'Replies',
  response: 'Responses',
  vote: 'Votes',
  approval: 'Approvals',
  access_request: 'Access requests',
  agreement: 'Agreements',
  opened: 'First openings by a link or person',
  page_closed: 'Links that expire or reach their view limit',
}
const FORMATS: Record<WebhookFormat, string> = {
  standard: 'JSON by Standard Webhooks',
  slack: 'Slack messages',
  discord: 'Discord messages',
  teams: 'Teams messages',
}
const STATES = { delivered: 'Arrived', waiting: 'Waiting', failed: 'Did not arrive' } as const
const OFF = {
  owner: 'Off',
  failing: 'Switched off: nothing arrived for three days',
  gone: 'Switched off: its receiver is gone (410)',
  key_revoked: 'Off: the API key that made it has ended',
  secret_lost: 'Off: the key of the server was changed. Delete it and add it again',
} as const

export default function Webhooks() {
  const { data, error, refetch } = useQuery(webhooksQuery)
  return (
    <Section
      title="Webhooks"
      about="What viewers do is sent to a program or a chat of yours as it happens."
    >
      <AddWebhook />
      {data === undefined && <Pending error={error} onRetry={refetch} rows={1} />}
      {data && data.length > 0 && (
        <RowList aria-label="Webhooks">
          {data.map((each) => (
            <WebhookRow key={each.id} webhook={each} />
          ))}
        </RowList>
      )}
    </Section>
  )
}

const hostOf = ({ url }: Webhook) => new URL(url).host

function WebhookRow({ webhook }: { webhook: Webhook }) {
  const { types, page_id: pageId, off_reason: off, waiting, format } = webhook
  const events = types.length === EVENT_TYPES.length ? 'All events' : typesText(types)
  const open = () => openDialog(<WebhookDialog initial={webhook} />)
  const about = `${FORMATS[format]}. ${events} of ${pageId === null ? 'all pages' : 'one page'}`
  return (
    <ListRow name={hostOf(webhook)} about={about}>
      <Note className={off === null || off === 'owner' ? '' : 'text-danger!'}>
        {off === null ? (waiting === 0 ? 'On' : `On, ${waiting} waiting`) : OFF[off]}
      </Note>
      <Button onClick={open} aria-label={`Open the webhook to ${hostOf(webhook)}`}>
        Open
      </Button>
    </ListRow>
  )
}

function typesText(types: readonly EventType[]): string {
  const [first = '', ...others] = types.map((type) => EVENTS[type])
  return [first, ...others.map((name) => name.toLowerCase())].join(', ')
}

function AddWebhook() {
  const [url, setUrl] = useState('')
  const [types, setTypes] = useState<EventType[]>([...EVENT_TYPES])
  const [page, setPage] = useState('')
  const [secret, setSecret] = useState<string | null>(null)
  const format = formatOf(url.trim())
  const add = useAction(
    async () => {
      const page_id = page.trim() || null
      return (await api.createWebhook({ url: url.trim(), types, page_id })).data
    },
    {
      hasPlace: true,
      refresh: [WEBHOOKS],
      said: 'Webhook added',
      onDone(webhook) {
        setUrl('')
        setPage('')
        setTypes([...EVENT_TYPES])
        // A chat verifies nothing.
        setSecret(webhook.format === 'standard' ? webhook.secret : null)
      },
    },
  )
  const isOfPage = add.error instanceof ApiError && add.error.param === 'page_id'
  return (
    <>
      <Form className="grid gap-3" onSubmit={add.mutate}>
        <div className="flex flex-wrap items-start gap-2">
          <div className="min-w-40 flex-1">
            <TextField
              label="Webhook address"
              type="url"
              placeholder="https://…"
              help={
                url.trim() === '' ? 'Of a program, or of Slack, Discord or Teams.' : FORMATS[format]
              }
              maxLength={2000}
              autoComplete="off"
              required
              value={url}
              onText={(text) => [setUrl(text), add.reset()]}
              error={isOfPage ? null : add.error}
            />
          </div>
          <SubmitButton className="mt-6" disabled={add.isPending || types.length === 0}>
            Add webhook
          </SubmitButton>
        </div>
        {url.trim() !== '' && (
          <>
            <EventFields types={types} onChange={setTypes} />
            <TextField
              label="Only of one page"
              placeholder="Its link; empty for all pages"
              maxLength={2000}
              autoComplete="off"
              value={page}
              onText={(text) => [setPage(text), add.reset()]}
              error={isOfPage ? add.error : null}
            />
          </>
        )}
      </Form>
      {secret !== null && (
        <NewSecret
          label="Signing secret"
          help="With it your program checks that a request is from here. It is shown this once."
          secret={secret}
          copy="Copy secret"
          onStored={() => setSecret(null)}
        />
      )}
    </>
  )
}

interface EventFieldsProps {
  types: EventType[]
  onChange(types: EventType[]): void
}

function EventFields({ types, onChange }: EventFieldsProps) {
  const choose = (type: EventType, isOn: boolean) =>
    onChange(EVENT_TYPES.filter((each) => (each === type ? isOn : types.includes(each))))
  return (
    <fieldset>
      <legend className="mb-1 text-13 font-medium">Events</legend>
      <div className="flex flex-wrap gap-x-5 gap-y-2">
        {EVENT_TYPES.map((type) => (
          <label key={type} className="flex items-center gap-2 pointer-coarse:min-h-9">
            <input
              type="checkbox"
              checked={types.includes(type)}
              onChange={({ currentTarget: { checked } }) => choose(type, checked)}
              className="size-4 shrink-0"
            />
            {EVENTS[type]}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function WebhookDialog({ initial }: { initial: Webhook }) {
  const webhook = useQuery(webhooksQuery).data?.find(({ id }) => id === initial.id) ?? initial
  const { id, url, is_on: isOn, off_reason: off, page_id: pageId } = webhook
  const refresh = [WEBHOOKS]
  const put = (is_on: boolean) => api.updateWebhook({ webhook_id: id, is_on })
  const change = useAction(put, { refresh })
  const test = useAction(() => api.testWebhook({ webhook_id: id }), { refresh })
  const remove = useAction(() => api.deleteWebhook({ webhook_id: id }), {
    refresh,
    said: 'Webhook deleted',
    onDone: useClose(),
  })
  const delivery = test.data?.data
  const actions = (
    <>
      <ConfirmButton
        className="mr-auto"
        label="Delete webhook"
        title="Delete this webhook?"
        action="Delete webhook"
        onConfirm={remove.mutate}
      >
        <p>Nothing more is sent to it, and its deliveries are deleted.</p>
      </ConfirmButton>
      <PrimaryButton mutation={test}>Send a test</PrimaryButton>
    </>
  )
  return (
    <Dialog title={`Webhook to ${hostOf(webhook)}`} isWide actions={actions}>
      <div className="grid grid-cols-1 gap-5">
        <div>
          <p className="font-mono text-13 break-all">{url}</p>
          <Note>
            {typesText(webhook.types)} of{' '}
            {pageId === null ? 'all pages' : <a href={`/app/pages/${pageId}`}>one page</a>}
          </Note>
        </div>
        <Switch
          label="Send events"
          help={off === null || off === 'owner' ? undefined : `${OFF[off]}. What waits is kept.`}
          isOn={isOn}
          isDisabled={change.isPending}
          onChange={change.mutate}
        />
        {delivery && (
          <div role="status" className="rounded-card border border-line bg-sunk px-4 py-3">
            <p className="font-medium">{answerText(delivery)}</p>
            {delivery.answer && <Text label="Answer to the test">{delivery.answer}</Text>}
          </div>
        )}
        <Deliveries webhookId={id} />
      </div>
    </Dialog>
  )
}

function answerText({ status, state }: Pick<Delivery, 'status' | 'state'>): string {
  if (status === null) return 'No answer within 15 seconds, or no connection'
  return state === 'delivered' ? `It arrived: the answer was ${status}` : `The answer was ${status}`
}

function Deliveries({ webhookId }: { webhookId: string }) {
  const part = (offset: number) => api.listDeliveries({ webhook_id: webhookId, offset })
  const query = useInfiniteQuery(readParts([...WEBHOOKS, webhookId], part, 10_000))
  return (
    <Section title="Deliveries">
      <List label="Deliveries" query={query} none="Nothing was sent yet.">
        {(each) => <DeliveryRow webhookId={webhookId} delivery={each} />}
      </List>
    </Section>
  )
}

function DeliveryRow({ webhookId, delivery }: { webhookId: string; delivery: Delivery }) {
  const { id, type, state, status, attempts, created_at: at, request, answer } = delivery
  const again = useAction(() => api.redeliver({ webhook_id: webhookId, delivery_id: id }), {
    refresh: [WEBHOOKS],
    said: ({ data }) => answerText(data),
  })
  const name = type in EVENTS ? EVENTS[type as EventType] : 'Test'
  const tone = state === 'failed' ? 'text-danger' : 'text-muted'
  const tries = attempts > 1 ? `, ${attempts} attempts` : ''
  const headers = Object.entries(request.headers).map(([key, value]) => `${key}: ${value}`)
  return (
    <li className="border-b border-line py-2.5">
      <details>
        <summary>
          <span className="font-medium">{name}</span>
          <span className={`float-right text-13 ${tone}`}>
            {STATES[state]}
            {status !== null && ` (${status})`}
            {tries}, <Time at={at} />
          </span>
        </summary>
        <div className="mt-2 grid grid-cols-1 justify-items-start gap-2">
          <Text label="Request">{`${headers.join('\n')}\n\n${request.body}`}</Text>
          {attempts > 0 && <p className="text-13">{answerText({ status, state })}</p>}
          {answer && <Text label="Answer">{answer}</Text>}
          <Button mutation={again}>Send again</Button>
        </div>
      </details>
    </li>
  )
}

/** What went over the wire, as it was. */
function Text({ label, children }: { label: string; children: string }) {
  return (
    <ScrollArea
      as="pre"
      aria-label={label}
      className="mt-1 max-h-48 w-full overflow-auto rounded-control bg-sunk p-3 text-13 break-all whitespace-pre-wrap"
    >
      {children}
    </ScrollArea>
  )
}
