import { useInfiniteQuery } from '@tanstack/preact-query'
import { useState } from 'preact/compat'
import { Link } from 'wouter-preact'
import { count } from '../../../../../src/model/numbers.ts'
import { ThreadView } from '../../../../threads/comment.tsx'
import { useBoot } from '../../../account.ts'
import type { Thread as ThreadData } from '../../../threads/model.ts'
import { OwnersComment } from '../../../threads/thread.tsx'
import { threadsQuery, useThread } from '../../../threads/use-thread.ts'
import { Button } from '../../../ui/button.tsx'
import { Note } from '../../../ui/field.tsx'
import { Pending } from '../../../ui/states.tsx'
import { askApprovers } from '../../approvals/ask.tsx'
import { AddressList } from '../address-list.tsx'
import { CopyPersonalLink, NoMailNote, useConfirmedNote } from '../personal-link.tsx'
import { PlanNote, Section, Setting, SettingSwitch, useHasPro } from '../section.tsx'
import { useSharing } from '../sharing.ts'
import { standingText, useStandings } from '../standing.ts'
import { Poll } from './poll.tsx'

const SHOWN = 5

const LATEST_REPLIES = 3
const APPROVALS = 'People you name approve the page or request changes, by a confirmed email.'

/** What viewers may say: each switch unfolds its own fields. */
export function Ask() {
  return (
    <Section title="Ask viewers">
      <Comments />
      <Approvals />
      <Poll />
    </Section>
  )
}

/** Comments: who may write them, and the newest ones, to hide and delete. */
function Comments() {
  const { page } = useSharing()
  const { data, error, refetch } = useInfiniteQuery(threadsQuery(page.id, 'all'))
  const threads = data?.pages[0]?.data
  const areKept = !page.allow_comments && threads !== undefined && threads.length > 0
  const confirmed = useConfirmedNote()
  return (
    <SettingSwitch
      name="allow_comments"
      label="Comments"
      help={
        areKept
          ? 'Off: the comments are kept, and nobody sees them.'
          : 'Everyone who can open the page sees them.'
      }
    >
      {page.allow_comments && (
        <>
          <SettingSwitch
            name="comments_require_email"
            label="Only with a confirmed email"
            help={`You see the address, viewers do not. Otherwise any name will do.${confirmed}`}
          />
          {threads && <Newest threads={threads} />}
          {!threads && <Pending error={error} onRetry={refetch} rows={2} />}
        </>
      )}
    </SettingSwitch>
  )
}

function Newest({ threads }: { threads: ThreadData[] }) {
  const { page } = useSharing()
  if (threads.length === 0) return <Note>No comments yet.</Note>
  return (
    <div>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h4 className="text-13 font-medium">Newest comments</h4>
        <Link href={`/pages/${page.id}/comments?show=all`} className="link text-13">
          All comments
        </Link>
      </div>
      <ul>
        {threads.slice(0, SHOWN).map((thread) => (
          <Thread key={thread.id} pageId={page.id} thread={thread} />
        ))}
      </ul>
    </div>
  )
}

function Thread({ pageId, thread }: { pageId: string; thread: ThreadData }) {
  const { current, act } = useThread(pageId, thread)
  if (current === null) return null
  const latest = { ...current, replies: current.replies.slice(-LATEST_REPLIES) }
  return (
    <li className="border-t border-line py-2 first:border-t-0">
      <ThreadView
        thread={latest}
        show={(comment) => (
          <OwnersComment
            pageId={pageId}
            comment={comment === latest ? current : comment}
            thread={current}
            act={act}
          />
        )}
      />
    </li>
  )
}

/** Approvals: they are on as soon as somebody is named. */
function Approvals() {
  const { page, save } = useSharing()
  const hasPro = useHasPro()
  const [isNaming, setNaming] = useState(false)
  const { collect_approvals: isOn, approver_emails: emails } = page
  function change(next: boolean): void {
    setNaming(next && emails.length === 0)
    const isDone = next ? emails.length > 0 : isOn
    if (isDone) save('collect_approvals', { collect_approvals: next })
  }
  return (
    <Setting
      field="collect_approvals"
      label="Approvals"
      help={hasPro || isOn ? APPROVALS : <PlanNote />}
      isOn={isOn || isNaming}
      isDisabled={!hasPro && !isOn}
      onChange={change}
    >
      {(isOn || isNaming) && <Approvers isOn={isOn} />}
    </Setting>
  )
}

function Approvers({ isOn }: { isOn: boolean }) {
  const { page, saved, save } = useSharing()
  const { sends_mails: sendsMails } = useBoot()
  const standingOf = useStandings(saved)
  const standings = saved.approver_emails.map(standingOf)
  const waiting = standings.filter(({ approver }) => approver && !approver.is_current).length
  const hasRead = standings.some(({ approver }) => approver !== undefined)
  return (
    <>
      {isOn && <NoMailNote>copy the link for each approver instead.</NoMailNote>}
      <AddressList
        name="approver_emails"
        label="Approvers"
        verb="Add"
        placeholder="ann@example.com"
        help={isOn ? '' : 'Approvals begin once you name the first one.'}
        keepsOne="The last approver: switch approvals off instead"
        {...(!isOn && { also: { collect_approvals: true } })}
        noteOf={(email) => (
          <>
            {standingText(standingOf(email))}
            {!sendsMails && isOn && page.is_published && (
              <CopyPersonalLink id={page.id} email={email} purpose="approve" />
            )}
          </>
        )}
      />
      {isOn && (
        <>
          <Setting
            field="approvals_visibility"
            label="Approvers see each other’s decisions"
            isOn={page.approvals_visibility === 'shared'}
            onChange={(isShared) =>
              save('approvals_visibility', { approvals_visibility: isShared ? 'shared' : 'owner' })
            }
          />
          {hasRead && <AskForApproval waiting={waiting} />}
          <Link href={`/pages/${page.id}/approvals`} className="link justify-self-start text-13">
            Decisions and the signed record
          </Link>
        </>
      )}
    </>
  )
}

function AskForApproval({ waiting }: { waiting: number }) {
  const { page } = useSharing()
  const { sends_mails: sendsMails } = useBoot()
  const whom = count(waiting, 'approver')
  if (!page.is_published) return <Note>Publish the page to ask for approval.</Note>
  if (waiting === 0) return <Note>Everyone has decided.</Note>
  if (!sendsMails) return null
  return (
    <Button className="justify-self-start" onClick={() => askApprovers(page, whom)}>
      Ask {whom} by email
    </Button>
  )
}
