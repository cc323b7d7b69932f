import { MAX_MAX_VIEWS } from '../../../../../src/model/page/limits.ts'
import type { Page } from '../../../boot.ts'
import { TextField } from '../../../ui/field.tsx'
import { count, formatNumber } from '../../../ui/text.ts'
import { DateField } from '../date-field.tsx'
import { longTime, ownZone } from '../dates.ts'
import { Section } from '../section.tsx'
import { SettingSwitch } from '../setting-switch.tsx'
import { useSharing } from '../sharing.ts'
import { type Parsed, useDraft } from '../use-draft.ts'
import { PlanNote, useHasPro } from './plan-note.tsx'

/** When the link closes by itself, and whether viewers may download. */
export function Closes() {
  const { page } = useSharing()
  const hasPro = useHasPro()
  return (
    <Section title="Closes" note={hasPro ? undefined : <PlanNote />}>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <DateField
          name="expires_at"
          label="Expires"
          never="Never"
          help={expiryHelp(page)}
          isLocked={!hasPro}
        />
        <ViewLimit isLocked={!hasPro && page.max_views === null} />
      </div>
      {page.file !== null && (
        <SettingSwitch
          name="download_disabled"
          label="View only"
          help="Hides the download button. It deters, and does not prevent a copy."
          isDisabled={!hasPro && !page.download_disabled}
        />
      )}
    </Section>
  )
}

function expiryHelp({ expires_at: expiresAt }: Page): string {
  if (expiresAt === null) return `Never. Times in ${ownZone()}.`
  if (Date.parse(expiresAt) <= Date.now()) return 'That has passed: the link is closed.'
  return `${longTime(expiresAt)}, ${ownZone()}.`
}

function ViewLimit({ isLocked }: { isLocked: boolean }) {
  const { page } = useSharing()
  const stored = page.max_views === null ? '' : String(page.max_views)
  const draft = useDraft({ field: 'max_views', label: 'View limit', stored, parse: parseLimit })
  return (
    <TextField
      label="View limit"
      inputMode="numeric"
      autoComplete="off"
      placeholder="None"
      help={limitHelp(page)}
      error={draft.error}
      disabled={isLocked}
      className="tabular-nums"
      {...draft.props}
    />
  )
}

function limitHelp({ views, max_views: maxViews }: Page): string {
  if (maxViews === null) return views === 0 ? 'Not opened yet.' : `Opened ${count(views, 'time')}.`
  const opened = `${formatNumber(Math.min(views, maxViews))} of ${formatNumber(maxViews)} opened`
  return views >= maxViews ? `${opened}: the link is closed.` : `${opened}.`
}

function parseLimit(text: string): Parsed {
  const digits = text.replace(/[\s,.’']/g, '')
  if (digits === '') return { values: { max_views: null } }
  const limit = /^\d{1,10}$/.test(digits) ? Number(digits) : 0
  if (limit >= 1 && limit <= MAX_MAX_VIEWS) return { values: { max_views: limit } }
  const most = formatNumber(MAX_MAX_VIEWS)
  return { problem: `Give a whole number from 1 to ${most}, or nothing for no limit.` }
}
