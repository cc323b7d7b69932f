import { type ReactNode, useId } from 'preact/compat'
import type { Input } from '../../../src/client/index.ts'
import { SCOPES, type Scope } from '../../../src/model/account.ts'
import { Select, TextArea } from '../ui/field.tsx'

type FormLimits = typeof NO_LIMITS

export const NO_LIMITS = {
  scopes: [...SCOPES],
  /** The links or ids of pages, each in a line of its own; empty: all pages. */
  pages: '',
  /** Days until it ends; empty: never. */
  days: '',
  isConfirmedOnly: false,
}

const DAY_MS = 86_400_000
const DAYS = { '': 'Never', 7: 'In 7 days', 30: 'In 30 days', 90: 'In 90 days', 365: 'In a year' }
const MAY: Record<Scope, [title: string, about: string]> = {
  'pages:read': ['Read pages', 'Their content, settings and versions, passwords included.'],
  'pages:write': ['Make and change pages', 'Publish, edit, invite, reply, delete.'],
  'feedback:read': ['Read feedback', 'Responses, comments, decisions, votes and analytics.'],
}

export function limitsFor({ scopes, pages, days, isConfirmedOnly }: FormLimits) {
  const names = pages.split(/[\s,]+/).filter((name) => name !== '')
  return {
    scopes,
    page_ids: names.length === 0 ? null : names,
    expires_at: days === '' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString(),
    confirmed_only: isConfirmedOnly,
  } satisfies Input<'createKey'>
}

interface LimitFieldsProps {
  limits: FormLimits
  onChange(limits: FormLimits): void
}

/** What a new key may do, folded away: most keys have no limits. */
export function LimitFields({ limits, onChange }: LimitFieldsProps) {
  const { scopes, pages, days, isConfirmedOnly } = limits
  const change = (part: Partial<FormLimits>) => onChange({ ...limits, ...part })
  return (
    <details className="basis-full pt-1">
      <summary className="w-fit cursor-pointer text-muted hover:text-ink">
        Limit what it may do
      </summary>
      <div className="grid gap-4 pt-3 sm:grid-cols-2">
        <fieldset className="grid content-start gap-2">
          <legend className="pb-1 text-13 font-medium">It may</legend>
          {SCOPES.map((scope) => (
            <Box
              key={scope}
              title={MAY[scope][0]}
              isTicked={scopes.includes(scope)}
              onTick={(isOn) =>
                change({ scopes: SCOPES.filter((s) => (s === scope ? isOn : scopes.includes(s))) })
              }
            >
              {MAY[scope][1]}
            </Box>
          ))}
          <Box
            title="Only feedback of confirmed people"
            isTicked={isConfirmedOnly}
            onTick={(isOn) => change({ isConfirmedOnly: isOn })}
          >
            For agents that act on what viewers say. Words of people who confirmed no address do not
            reach it.
          </Box>
        </fieldset>
        <div className="grid content-start gap-4">
          <TextArea
            label="Only these pages"
            placeholder="All pages"
            help="Their links, one in a line."
            rows={3}
            maxLength={20_000}
            value={pages}
            onText={(text) => change({ pages: text })}
          />
          <Select
            label="It ends"
            options={DAYS}
            value={days}
            onText={(text) => change({ days: text })}
          />
        </div>
      </div>
    </details>
  )
}

interface BoxProps {
  title: string
  isTicked: boolean
  onTick(isTicked: boolean): void
  children: ReactNode
}

function Box({ title, isTicked, onTick, children }: BoxProps) {
  const id = useId()
  return (
    <label className="flex items-start gap-2">
      <input
        type="checkbox"
        checked={isTicked}
        aria-describedby={id}
        onChange={({ currentTarget }) => onTick(currentTarget.checked)}
        className="mt-0.5 size-4 shrink-0"
      />
      <span>
        {title}
        <span id={id} className="block text-13 text-muted">
          {children}
        </span>
      </span>
    </label>
  )
}
