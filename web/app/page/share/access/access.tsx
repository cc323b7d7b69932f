import { useQuery } from '@tanstack/preact-query'
import { Eye, EyeOff, RefreshCw } from 'lucide-preact'
import { type ReactNode, useId, useState } from 'preact/compat'
import { count } from '../../../../../src/model/numbers.ts'
import { NO_DOMAIN_LEFT, PASSWORD_LENGTH } from '../../../../../src/model/page/facts.ts'
import { useBoot } from '../../../account.ts'
import { api, type Page, read } from '../../../api.ts'
import { Button, IconButton, QuietButton } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy.tsx'
import { FormDialog, openDialog, useClose } from '../../../ui/dialog.tsx'
import { Note, Problem, TextField } from '../../../ui/field.tsx'
import { ListRow, RowList } from '../../../ui/section.tsx'
import { Time } from '../../../ui/time.tsx'
import { useAction } from '../../../use-action.ts'
import { AccessAnswer } from '../../access-answer.tsx'
import { ACCESS_PHRASES, copiesOf } from '../../words.ts'
import { AddressList } from '../address-list.tsx'
import { Invited, type InvitedPeople, useInvitations } from '../invitations.tsx'
import { NoMailNote, useMessage } from '../personal-link.tsx'
import { Refusal, SettingSwitch, Unfolded } from '../section.tsx'
import { useDraft, useSharing } from '../sharing.ts'
import { invitationsKey } from '../standing.ts'

/** Who may open a page with that access, in one line. */
const EXPLANATIONS: Record<Access, string> = {
  link: 'No password, no account.',
  people: 'They confirm their address by a link in a mail.',
  private: 'You, when signed in. Nobody else.',
  password: 'One password for everyone who gets the link.',
  email_gate: 'You see who opened it. Nobody needs an account.',
}
const WITHOUT_MAIL: Partial<typeof EXPLANATIONS> = {
  people: 'By a link for each of them alone.',
  email_gate: 'Mail is not set up, so nobody gets the link that confirms one.',
}

const LOST: Record<Access, string> = {
  link: '',
  private: '',
  people: 'the list of invited people is kept, and not asked for',
  password: 'the password is kept, and not asked for',
  email_gate: 'no email address is asked for',
}

type Access = Page['access']

const FIELDS: Partial<Record<Access, () => ReactNode>> = {
  people: People,
  password: Password,
  email_gate: EmailGate,
}

export function Access() {
  const { page, saved, save } = useSharing()
  /** The access before the last change, to say what it changed and to take it back. */
  const [before, setBefore] = useState<Access | null>(null)
  function choose(access: Access): void {
    setBefore(page.access)
    save('access', { access })
  }
  return (
    <fieldset className="grid grid-cols-1 pb-5">
      <legend className="mb-2 font-serif text-17 font-medium">Who may open it</legend>
      {(Object.keys(ACCESS_PHRASES) as Access[]).map((access) => (
        <Choice key={access} access={access} isChosen={page.access === access} onChoose={choose}>
          {before !== null && page.access === saved.access && (
            <Consequence from={before} onUndo={() => [choose(before), setBefore(null)]} />
          )}
        </Choice>
      ))}
      <Refusal field="access" />
    </fieldset>
  )
}

interface ChoiceProps {
  access: Access
  isChosen: boolean
  onChoose(access: Access): void
  children: ReactNode
}

function Choice({ access, isChosen, onChoose, children }: ChoiceProps) {
  const id = useId()
  const { sends_mails: sendsMails } = useBoot()
  const Fields = isChosen ? FIELDS[access] : undefined
  return (
    <div>
      <div className="relative flex gap-3 py-1.5 pointer-coarse:py-2.5">
        <input
          type="radio"
          id={id}
          name="access"
          checked={isChosen}
          onChange={() => onChoose(access)}
          aria-describedby={`${id}-note`}
          ref={isChosen ? focusFirst : null}
          className="relative z-1 mt-1 size-4 shrink-0 accent-accent"
        />
        <div className="min-w-0">
          {/* The whole row is the label’s. */}
          <label htmlFor={id} className="font-medium after:absolute after:inset-0">
            {ACCESS_PHRASES[access]}
          </label>
          <Note id={`${id}-note`}>
            {(!sendsMails && WITHOUT_MAIL[access]) || EXPLANATIONS[access]}
          </Note>
        </div>
      </div>
      {isChosen && (
        <div className="ml-7 grid grid-cols-1 gap-3 not-empty:mt-1 not-empty:mb-3">
          {children}
          {Fields && (
            <Unfolded>
              <Fields />
            </Unfolded>
          )}
        </div>
      )}
    </div>
  )
}

/** The dialog puts the focus here when it opens. */
function focusFirst(radio: HTMLInputElement | null): void {
  radio?.toggleAttribute('autofocus', true)
}

function Consequence({ from, onUndo }: { from: Access; onUndo(): void }) {
  const { page } = useSharing()
  const text = consequenceOf(from, page.access, page)
  return (
    text && (
      <div className="flex flex-wrap items-center justify-between gap-x-3 rounded-control bg-sunk py-1 pr-1 pl-3 text-13">
        <p role="status">{text}</p>
        <QuietButton className="text-13" onClick={onUndo}>
          Undo
        </QuietButton>
      </div>
    )
  )
}

/** What a change of access means for those who could open the page before, in one line. */
function consequenceOf(from: Access, to: Access, page: Page): string | null {
  if (from === to) return null
  const lost = LOST[from]
  switch (to) {
    case 'link':
      return `Now open to anyone who has the link${from === 'private' ? '' : `: ${lost}`}.`
    case 'private':
      return 'Nobody else can open it any more, not even those who have it open.'
    case 'people': {
      const { length } = page.allowed_emails
      if (length === 0) return 'Until you invite somebody, only you can open it.'
      return `Now only you and ${count(length, 'invited person', 'invited people')} can open it.`
    }
    case 'password':
      return 'Everyone needs the password now, also those who opened it before.'
    case 'email_gate':
      return 'Everyone must confirm an email address now, also those who opened it before.'
  }
}

function EmailGate() {
  const { page, saved, warnings } = useSharing()
  // A draft is open to nobody: of it, the answer to a change alone tells.
  const isShut =
    saved.open_to.endsWith(NO_DOMAIN_LEFT) ||
    warnings.some(({ code, param }) => code === 'nobody_can_open' && param === 'allowed_domains')
  return (
    <>
      <SettingSwitch
        name="business_only"
        label="Business addresses only"
        help="Refuses gmail.com and other personal mail services."
      />
      <AddressList
        name="allowed_domains"
        label="Allowed domains"
        verb="Allow"
        placeholder="example.com"
        help={page.allowed_domains.length === 0 ? 'Empty: every domain may come in.' : ''}
      />
      {isShut && (
        <p role="status" className="rounded-control bg-sunk px-3 py-2 text-13">
          Nobody can come in: these are domains of personal mail, and only business addresses may.
        </p>
      )}
    </>
  )
}

/** The password: shown, copied, typed anew, or made by the server. */
function Password() {
  const { page, state, save } = useSharing()
  const { password } = page
  const [isShown, setShown] = useState(false)
  const { reset, props } = useDraft({
    field: 'password',
    label: 'Password',
    pageText: password ?? '',
    waitsForBlur: true,
    parse(text) {
      const { min, max } = PASSWORD_LENGTH
      if (text === password) return null
      if (text.length >= min && text.length <= max) return { values: { password: text } }
      return { problem: `A password has ${min} to ${max} characters.` }
    },
  })
  const isComing = state.pending.some(({ values: v }) => 'password' in v && v.password === null)
  return (
    <>
      <div className="flex items-end gap-1">
        <div className="min-w-0 flex-1">
          <TextField
            {...props}
            error={null}
            type={isShown ? 'text' : 'password'}
            autoComplete="off"
            spellcheck={false}
            placeholder={isComing || password === undefined ? 'Four words are on their way' : ''}
            className="font-mono"
          />
        </div>
        <IconButton
          label={isShown ? 'Hide password' : 'Show password'}
          icon={isShown ? EyeOff : Eye}
          onClick={() => setShown(!isShown)}
        />
      </div>
      <Problem error={props.error} />
      <div className="-mt-2 -ml-3 flex flex-wrap">
        <CopyButton look="quiet" text={password ?? ''} label="Copy password" />
        <CopyButton look="quiet" {...copiesOf(page)} label="Copy link and password" />
        <QuietButton
          icon={RefreshCw}
          onClick={() => {
            reset()
            setShown(true)
            save('password', { password: null })
          }}
        >
          New password
        </QuietButton>
      </div>
      <Note>A new password ends the visits of all who came in with the old one.</Note>
    </>
  )
}

const SIGN_IN =
  'By a link in a mail to that address, in an account of their own. Otherwise they confirm the ' +
  'address and need no account.'
const SIGN_IN_WITHOUT_MAIL =
  'In an account with that address, by a passkey or a link from whoever runs this server. ' +
  'Otherwise your link for each is enough.'

function People() {
  const { page } = useSharing()
  const { sends_mails: sendsMails } = useBoot()
  const { mail, report, standingOf, actionOf } = useInvitations(page)

  return (
    <>
      <NoMailNote>copy the link for each person instead.</NoMailNote>
      <AddressList
        name="allowed_emails"
        label="Invite by email"
        verb="Invite"
        placeholder="ann@example.com, bob@example.com"
        onInvite={mail}
        noteOf={(email) => (
          <>
            <span>{standingOf(email)}</span>
            {actionOf(email)}
          </>
        )}
      />
      {report}
      <Invitations />
      <SettingSwitch
        name="require_signin"
        label="Ask them to sign in"
        help={sendsMails ? SIGN_IN : SIGN_IN_WITHOUT_MAIL}
      />
      <SettingSwitch
        name="allow_access_requests"
        label="Let others ask for access"
        help={sendsMails ? 'You get a mail, and decide there or here.' : 'You decide here.'}
      />
      <AccessRequests />
    </>
  )
}

function Invitations() {
  const { page, saved } = useSharing()
  const { sends_mails: sendsMails } = useBoot()
  const [invited, setInvited] = useState<InvitedPeople | null>(null)
  if (saved.allowed_emails.length === 0) return null
  const later = sendsMails ? 'mail them the link' : 'copy their links'
  if (!page.is_published) return <Note>Publish the page to {later}.</Note>
  if (!sendsMails) return null
  const write = () => openDialog(<InviteAll page={saved} onMailed={setInvited} />)
  return (
    <>
      <Button className="justify-self-start" onClick={write}>
        Mail everyone the link
      </Button>
      {invited && <Invited {...invited} />}
    </>
  )
}

function InviteAll({ page, onMailed }: { page: Page; onMailed(people: InvitedPeople): void }) {
  const { id, allowed_emails: emails } = page
  const close = useClose()
  const { message, field } = useMessage()
  const sending = useAction(() => api.invitePeople({ id, emails: [...emails], message }), {
    hasPlace: true,
    refresh: [invitationsKey(page)],
    onDone: ({ data }) => [onMailed(data), close()],
  })
  return (
    <FormDialog
      title="Mail everyone the link"
      action={`Send ${count(emails.length, 'invitation')}`}
      cancel="Cancel"
      mutation={sending}
      unsent={message && 'your message'}
    >
      {field}
      <Problem error={sending.error} className="" />
    </FormDialog>
  )
}

function AccessRequests() {
  const { page } = useSharing()
  const heading = useId()
  const list = () => api.listAccessRequests({ id: page.id })
  const { data } = useQuery(read(['access-requests', page.id], list, 15_000))
  const waiting = data?.filter(({ decision }) => decision === null) ?? []
  if (waiting.length === 0) return null
  return (
    <div>
      <h4 id={heading} className="text-13 font-medium">
        Waiting for your answer
      </h4>
      <RowList aria-labelledby={heading}>
        {waiting.map((request) => (
          <ListRow
            key={request.id}
            name={request.email}
            about={<Time words="asked" at={request.created_at} />}
          >
            <AccessAnswer pageId={page.id} request={request} />
          </ListRow>
        ))}
      </RowList>
    </div>
  )
}
