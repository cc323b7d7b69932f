import { Check } from 'lucide-preact'
import { useEffect, useEffectEvent, useRef, useState } from 'preact/compat'
import { count, formatNumber } from '../../../../src/model/numbers.ts'
import { MAX_MAX_VIEWS } from '../../../../src/model/page/facts.ts'
import { useAccount } from '../../account.ts'
import { messageOf, type Page } from '../../api.ts'
import { useLater } from '../../hooks.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Dialog, LeaveNotice } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { useUnsentGuard } from '../../unsent.ts'
import { usePublication } from '../use-page.ts'
import { kindOf, shownLink } from '../words.ts'
import { Access } from './access/access.tsx'
import { Agreement } from './agreement.tsx'
import { Ask } from './ask/ask.tsx'
import { longTime, ownZone } from './dates.ts'
import { LinkPreview } from './link/link-preview.tsx'
import { PeopleLinks } from './people-links.tsx'
import { NoMailNote } from './personal-link.tsx'
import { DateField, PlanNote, Section, SettingSwitch, useHasPro } from './section.tsx'
import { type Sharing, SharingContext, useDraft, useSaver, useSharing } from './sharing.ts'

/** A quick save is not worth a word before it is done. */
const SAVING_MS = 400

export default function ShareDialog({ page, onClose }: { page: Page; onClose(): void }) {
  const sharing = useSaver(page)
  const { leave, notice } = useLeaving(sharing, onClose)
  // A link to one of its sections leads to the first field there.
  useEffect(() => {
    const section = document.getElementById(location.hash.slice(1))
    section?.scrollIntoView()
    section?.querySelector<HTMLElement>('input, textarea')?.focus({ preventScroll: true })
  }, [])
  return (
    <SharingContext value={sharing}>
      <Dialog title="Share" isWide isTall status={<SaveStatus />} actions={notice} onClose={leave}>
        <PageLink page={page} />
        <Access />
        <PeopleLinks />
        <Section title="Agreement">
          <Agreement />
        </Section>
        <Closes />
        <Ask />
        <LinkPreview />
        <Mails />
      </Dialog>
    </SharingContext>
  )
}

function PageLink({ page }: { page: Page }) {
  const { publish } = usePublication(page)
  return (
    <div className="pb-5">
      <div className="flex items-center gap-2 rounded-control border border-line bg-sunk py-1 pr-1 pl-3">
        <span className="min-w-0 flex-1 truncate font-mono text-13">{shownLink(page.url)}</span>
        <CopyButton text={page.url} label="Copy link" />
      </div>
      {!page.is_published && (
        <p className="mt-2 flex flex-wrap items-center justify-between gap-2 text-13 text-muted">
          A draft: the link opens for nobody until you publish it.
          <Button mutation={publish}>Publish now</Button>
        </p>
      )}
    </div>
  )
}

/** Leaves once everything is saved; where that cannot be, only if asked again. */
function useLeaving({ state, saver, commitAll }: Sharing, onClose: () => void) {
  const [isLeaving, setLeaving] = useState(false)
  const [stuck, setStuck] = useState<string[]>([])
  const leave = useRef(onClose)
  const isGivenUp = useRef(false)
  const isLost = () => !isGivenUp.current && commitAll().length > 0

  function leaveIfSaved(): void {
    const fields = commitAll()
    setStuck(fields)
    const isDone = fields.length === 0 && saver.get().pending.length === 0
    setLeaving(!isDone)
    if (isDone) leave.current()
  }
  function tryToLeave(go: () => void): void {
    leave.current = go
    leaveIfSaved()
  }
  const goOn = useEffectEvent(() => isLeaving && !isGivenUp.current && leaveIfSaved())
  useEffect(() => {
    if (state.pending.length === 0) goOn()
  }, [state.pending])

  useUnsentGuard({
    isLostOnUnload: () => isLost() || saver.get().pending.length > 0,
    // What can be saved is saved after the dialog has gone, too.
    isLostOnNavigation: () => isLost() || saver.get().status === 'stopped',
    ask: tryToLeave,
  })
  return {
    leave: () => tryToLeave(onClose),
    /** What the dialog says at its end while it waits. */
    notice: isLeaving && (
      <LeaveNotice
        text={textOf(state, stuck)}
        action="Leave without saving"
        onStay={() => setLeaving(false)}
        onLeave={() => {
          isGivenUp.current = true
          saver.discard()
          leave.current()
        }}
      />
    ),
  }
}

function textOf({ status, error, pending }: Sharing['state'], stuck: string[]): string {
  if (status === 'stopped') return `Not saved: ${messageOf(error)}`
  if (stuck.length > 0 && pending.length === 0) return `Not saved: ${stuck.join(', ')}.`
  return 'Saving your last change…'
}

function Mails() {
  const { page } = useSharing()
  const { email } = useAccount()
  const canRespond = ['page', 'deck'].includes(kindOf(page))
  return (
    <Section title="Mails to you" note={<bdi>{email}</bdi>}>
      <NoMailNote>nothing is sent to you until it is.</NoMailNote>
      <SettingSwitch name="notify_on_view" label="Email me when it is opened" />
      {canRespond && (
        <SettingSwitch name="notify_on_response" label="Email me when somebody responds" />
      )}
      {page.allow_comments && (
        <SettingSwitch name="notify_on_comment" label="Email me new comments" />
      )}
      {page.collect_approvals && (
        <SettingSwitch name="notify_on_decision" label="Email me each decision" />
      )}
    </Section>
  )
}

/** The one place that says whether the changes are saved. */
function SaveStatus() {
  const { state, saver } = useSharing()
  const { status, error } = state
  const isSlow = useLater(status, SAVING_MS) === 'saving' && status === 'saving'
  return (
    <div className="ml-auto flex min-w-0 items-center gap-2 text-13">
      <p role="status" className="flex items-center gap-1 text-muted">
        {status === 'saved' && (
          <>
            <Check size={14} />
            Saved
          </>
        )}
        {isSlow && 'Saving…'}
        {status === 'stopped' && (
          <span className="text-danger">
            Not saved<span className="sr-only">. {messageOf(error)}</span>
          </span>
        )}
      </p>
      {status === 'stopped' && <Button onClick={saver.resume}>Try again</Button>}
    </div>
  )
}

function Closes() {
  const { page } = useSharing()
  const hasPro = useHasPro()
  return (
    <Section title="Closes" note={hasPro ? undefined : <PlanNote />}>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <DateField name="expires_at" label="Expires" help={expiryHelp(page)} isLocked={!hasPro} />
        <ViewLimit isLocked={!hasPro && page.max_views === null} />
      </div>
      {page.file !== null && (
        <>
          <SettingSwitch
            name="download_disabled"
            label="View only"
            help="Hides the download button. It deters, and does not prevent a copy."
            isDisabled={!hasPro && !page.download_disabled}
          />
          <SettingSwitch
            name="watermark"
            label="Watermark"
            help={
              'Each copy says who got it and when. It deters, and does not prevent a copy. ' +
              'You alone see the file without it.'
            }
            isDisabled={!hasPro && !page.watermark}
          />
        </>
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
  const pageText = page.max_views === null ? '' : String(page.max_views)
  const draft = useDraft({ field: 'max_views', label: 'View limit', pageText, parse: parseLimit })
  return (
    <TextField
      inputMode="numeric"
      autoComplete="off"
      placeholder="None"
      help={limitHelp(page)}
      disabled={isLocked}
      className="tabular-nums"
      {...draft.props}
    />
  )
}

function limitHelp({ views, max_views: maxViews }: Page): string {
  if (maxViews === null) return views === 0 ? 'Not opened yet.' : `Opened ${count(views, 'time')}.`
  const summary = `${formatNumber(Math.min(views, maxViews))} of ${formatNumber(maxViews)} opened`
  return views >= maxViews ? `${summary}: the link is closed.` : `${summary}.`
}

function parseLimit(text: string) {
  const digits = text.replace(/[\s,.’']/g, '')
  if (digits === '') return { values: { max_views: null } }
  const limit = /^\d{1,10}$/.test(digits) ? Number(digits) : 0
  if (limit >= 1 && limit <= MAX_MAX_VIEWS) return { values: { max_views: limit } }
  const most = formatNumber(MAX_MAX_VIEWS)
  return { problem: `Give a whole number from 1 to ${most}, or nothing for no limit.` }
}
