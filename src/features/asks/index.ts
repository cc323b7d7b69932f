import type { Account } from '../../model/account.ts'
import { refuse } from '../../model/errors.ts'
import type { EventType } from '../../model/event-types.ts'
import { operationsOf, type RequestContext, type Subjects } from '../../model/operation.ts'
import type { Page } from '../../model/page/index.ts'
import { millisecondsOf } from '../../model/times.ts'
import type { Db } from '../../platform/db/index.ts'
import { newId } from '../../platform/ids.ts'
import type { Services } from '../../platform/services.ts'
import { type Access, nothingPublished } from '../access/index.ts'
import type { Approvals } from '../approvals/index.ts'
import type { Feedback } from '../feedback/index.ts'
import type { Links } from '../links/index.ts'
import type { AskInput, AskResult, Question } from './contract.ts'
import * as contract from './contract.ts'
import type { AsksTable } from './store.ts'
import * as store from './store.ts'

/** The oldest of more are forgotten. */
const MAX_ASKS = 1000
const EVENTS_AT_ONCE = 100
/** More events of a page than these are of other things than an ask. */
const MAX_READS = 50

/** The type of the event by which each kind is answered. */
const ANSWERS = { poll: 'vote', form: 'response', approval: 'approval' } as const satisfies Record<
  Question['kind'],
  EventType
>

interface AskDeps extends Pick<Services, 'database' | 'clock' | 'baseUrl'> {
  access: Pick<Access, 'mailInvitations' | 'personalLinks'>
  approvals: Pick<Approvals, 'request'>
  links: Pick<Links, 'ofPage'>
  feedback: Pick<
    Feedback,
    'pageNamed' | 'withPageNamed' | 'readAfter' | 'lastNumber' | 'waitAfter' | 'isStopped'
  >
  sendsMails(): boolean
  findPage(id: string, db?: Db): Promise<Page | undefined>
  createPage(subject: Subjects['account'], fields: object): Promise<string>
  updatePage(subject: Subjects['owner'], fields: object): Promise<void>
  removePage(subject: Subjects['owner']): Promise<void>
  /** Whether what is published has a form. */
  collectsResponses(page: Page): Promise<boolean>
}

async function find({ database }: AskDeps, account: Account, id: string): Promise<AsksTable> {
  const ask = await store.find(database.read, [account.id, id])
  if (ask !== undefined) return ask
  throw refuse.notFound('ask_not_found', 'You have asked nothing with this id.')
}

/** The newest answer of each who was asked. @returns also the last number that was read */
async function readAnswers({ feedback }: AskDeps, ask: AsksTable, people: readonly string[]) {
  const answers = new Map<string, Answer>()
  const [types, limit] = [[ANSWERS[ask.kind]], EVENTS_AT_ONCE]
  // An agent may ask the owner of its own account.
  const range = { accountId: ask.account_id, pageId: ask.page_id, types, hasOwn: true, limit }
  let after = ask.after_number
  for (let reads = 0; reads < MAX_READS; reads++) {
    const { items, last, more } = await feedback.readAfter({ ...range, after })
    for (const item of items) {
      const answer = answerIn(item.event)
      if (answer === null || !people.includes(answer.who)) continue
      answers.delete(answer.who)
      answers.set(answer.who, answer)
    }
    after = last
    if (!more) break
  }
  return { answers, cursor: after }
}

async function read(deps: AskDeps, account: Account, id: string) {
  const ask = await find(deps, account, id)
  const page = await deps.findPage(ask.page_id)
  if (page === undefined) {
    throw refuse.notFound('ask_not_found', 'The page that you asked on was deleted.')
  }
  const people = JSON.parse(ask.people) as string[]
  const { answers, cursor } = await readAnswers(deps, ask, people)
  const waiting = people.filter((email) => !answers.has(email))
  const isOver = ask.due_at !== null && millisecondsOf(ask.due_at) <= deps.clock.ms()
  const result: AskResult = {
    ...{ id: ask.id, kind: ask.kind, created_at: ask.created_at, due_at: ask.due_at, waiting },
    page: { id: page.id, title: page.title, url: `${deps.baseUrl}/p/${page.slug}` },
    answered: [...answers.values()],
    outcome: outcomeOf({ isCancelled: ask.cancelled_at !== null, waiting, isOver }),
  }
  return { ask, result, cursor }
}

/** Reads the answers until all have answered, the time is over, or nobody waits any more. */
async function wait(
  deps: AskDeps,
  { account, id, waitS }: { account: Account; id: string; waitS: number },
  { signal: signalOf, renew }: Pick<RequestContext, 'signal' | 'renew'> = {},
): Promise<AskResult> {
  const { clock, feedback } = deps
  const signal = signalOf?.()
  const until = clock.ms() + waitS * 1000
  for (let hasWaited = false; ; hasWaited = true) {
    const reading = read(deps, account, id)
    const { ask, result, cursor } = await reading.finally(hasWaited ? renew : undefined)
    const leftMs = until - clock.ms()
    const isEnd = result.outcome !== null || leftMs <= 0 || feedback.isStopped() || signal?.aborted
    if (isEnd) return result
    const dueMs = ask.due_at === null ? leftMs : millisecondsOf(ask.due_at) - clock.ms()
    const ms = Math.max(1, Math.min(leftMs, dueMs))
    const range = { accountId: account.id, pageId: ask.page_id, after: cursor }
    await feedback.waitAfter({ ...range, ms, signal })
  }
}

/** Those who are asked by the label of a link are those for whom the link was made. */
async function addressesOf(deps: AskDeps, account: Account, { page_id: name, people }: AskInput) {
  if (people.every((person) => person.includes('@'))) return people
  const page = name === undefined ? null : await deps.feedback.pageNamed(account, name)
  const links = page === null ? [] : await deps.links.ofPage(deps.database.read, page.id)
  const addresses = people.map((person, at) => {
    if (person.includes('@')) return person
    const emails = links.flatMap(({ label, email }) => (label === person && email) || [])
    if (new Set(emails).size === 1) return emails[0]!
    const name = JSON.stringify(person)
    const text = `Give an address in place of ${name}: no link of the page with that label has one.`
    throw refuse.invalidParameter(`people.${at}`, text)
  })
  return [...new Set(addresses)]
}

/** A page that asks the question, and who may open it. */
async function preparePage(deps: AskDeps, subject: Subjects['account'], input: AskInput) {
  const { account, context } = subject
  const { page_id: name, html, title, question, people } = input
  if ((name === undefined) === (html === undefined)) {
    throw refuse.invalidParameter('page_id', 'Give page_id or html: one of them.')
  }
  const fields = { ...settingsOf(input), ...(title !== undefined && { title }) }
  if (name === undefined) {
    const invited = { access: 'people', allowed_emails: people }
    const id = await deps.createPage(subject, { html, ...fields, ...invited })
    return { page: await deps.feedback.pageNamed(account, id), isNew: true }
  }
  const page = await deps.feedback.pageNamed(account, name)
  const { settings } = page
  const isForPeople = settings.access === 'people'
  if (!isForPeople && question.kind !== 'approval') throw unfitAccess()
  if (settings.access === 'private') throw unfitAccess()
  if (page.published_id === null) throw nothingPublished()
  // Nobody is let in for what cannot be asked.
  if (question.kind === 'form') await assertForm(deps, page)
  assertPollFits(page, question)
  const all = (list: readonly string[]) => [...new Set([...list, ...people])]
  await deps.updatePage(
    { account, page, sessionId: null, context },
    {
      ...fields,
      ...(question.kind === 'approval' && { approver_emails: all(settings.approver_emails) }),
      ...(isForPeople && { allowed_emails: all(settings.allowed_emails) }),
    },
  )
  return { page: await deps.feedback.pageNamed(account, page.id), isNew: false }
}

async function assertForm({ collectsResponses }: AskDeps, page: Page): Promise<void> {
  if (await collectsResponses(page)) return
  const text = 'What is published of the page has no form: put one into its HTML.'
  throw refuse.conflict('ask_unfit', text)
}

/** @returns whose mails are on their way */
async function mailPeople(deps: AskDeps, page: Page, input: AskInput): Promise<string[]> {
  const { question, people: emails, message, due_at } = input
  if (question.kind === 'form') await assertForm(deps, page)
  if (question.kind === 'approval') {
    const { asked, not_admitted } = await deps.approvals.request(page, { emails, message, due_at })
    assertAllAdmitted(not_admitted)
    return asked.map(({ email }) => email)
  }
  const { mailed, not_admitted } = await deps.access.mailInvitations(page, { emails, message })
  assertAllAdmitted(not_admitted)
  return mailed
}

async function linksOf({ access }: AskDeps, page: Page, { question, people }: AskInput) {
  const purpose = question.kind === 'approval' ? ('approve' as const) : ('view' as const)
  const links: { who: string; url: string }[] = []
  for (const email of people) {
    const { url } = await access.personalLinks.handedLink(page, { email, purpose })
    links.push({ who: email, url })
  }
  return links
}

async function create(deps: AskDeps, subject: Subjects['account'], input: AskInput) {
  const { database, clock, feedback } = deps
  const { account, context } = subject
  const { question, people, due_at } = input
  assertPoll(question)
  if (due_at !== null && millisecondsOf(due_at) <= clock.ms()) {
    throw refuse.invalidParameter('due_at', 'due_at must be in the future.')
  }
  const { page, isNew } = await preparePage(deps, subject, input)
  const id = newId('ask')
  const ask: AsksTable = {
    ...{ id, account_id: account.id, page_id: page.id, kind: question.kind },
    ...{ people: JSON.stringify(people), due_at, cancelled_at: null, created_at: clock.now() },
    after_number: await feedback.lastNumber(account.id),
  }
  let notice: { mailed: string[]; links: { who: string; url: string }[] }
  try {
    const mailed = await mailPeople(deps, page, input)
    await database.write(async (tx) => {
      await store.insert(tx, [ask])
      await store.deleteOld(tx, [account.id, MAX_ASKS])
    })
    notice = deps.sendsMails()
      ? { mailed, links: [] }
      : { mailed: [], links: await linksOf(deps, page, input) }
  } catch (err) {
    if (isNew) await deps.removePage({ account, page, sessionId: null, context })
    throw err
  }
  // The people are asked by now, also where too many requests wait already.
  const result = await wait(deps, { account, id, waitS: input.wait_s }, context).catch((err) => {
    if (err.code !== 'rate_limited') throw err
    return wait(deps, { account, id, waitS: 0 })
  })
  return { ...result, ...notice }
}

type Answer = AskResult['answered'][number]
type FeedbackItem = Awaited<ReturnType<Feedback['readAfter']>>['items'][number]['event']

function answerIn(item: FeedbackItem): Answer | null {
  const { at } = item
  if (item.type === 'vote') {
    const { vote } = item
    return vote && { who: vote.email, at, version_no: null, answer: { option: vote.option } }
  }
  if (item.type === 'response') {
    const { respondent, data } = item.response
    return { who: respondent, at, version_no: null, answer: { data } }
  }
  if (item.type !== 'approval') return null
  const { email, version_no, decision, note } = item.approval
  return { who: email, at, version_no, answer: { decision, note } }
}

function outcomeOf(facts: {
  isCancelled: boolean
  waiting: readonly string[]
  isOver: boolean
}): AskResult['outcome'] {
  if (facts.isCancelled) return 'cancelled'
  if (facts.waiting.length === 0) return 'all_answered'
  return facts.isOver ? 'deadline' : null
}

/** The settings of a page that asks the question, besides who may open it. */
function settingsOf({ question, people, due_at }: AskInput): object {
  switch (question.kind) {
    case 'form':
      return {}
    case 'approval':
      return { collect_approvals: true, approver_emails: people }
    case 'poll':
      return {
        ...{ collect_votes: true, poll_question: question.question },
        ...{ poll_options: question.options, poll_closes_at: due_at },
        // Only a vote with a name can be told to be of one of them.
        ...{ poll_require_email: true, poll_named: true },
      }
  }
}

function assertPoll({ kind, question, options }: Question): void {
  const isPoll = kind === 'poll'
  for (const [name, value] of Object.entries({ question, options })) {
    if (isPoll === (value !== undefined)) continue
    const text = isPoll ? `A poll needs ${name}.` : `Only a poll has ${name}.`
    throw refuse.invalidParameter(`question.${name}`, text)
  }
}

function assertPollFits({ settings }: Page, question: Question): void {
  if (question.kind !== 'poll' || settings.poll_question === null) return
  const isSame =
    settings.poll_question === question.question &&
    JSON.stringify(settings.poll_options) === JSON.stringify(question.options)
  if (isSame && settings.poll_named) return
  const text = 'The page has another poll, or a secret one, which stays: ask on a new page.'
  throw refuse.conflict('ask_unfit', text)
}

function unfitAccess() {
  const text =
    'Who answers is known on pages with access people alone. Set that first, or ask on a new page.'
  return refuse.conflict('ask_unfit', text)
}

function assertAllAdmitted([email]: readonly string[]): void {
  if (email === undefined) return
  const text = `The access of the page does not let ${email} open it: change that first.`
  throw refuse.conflict('ask_unfit', text)
}

/** Questions to people on a page. Their answers are votes, responses and decisions of that page. */
export function askOperations(deps: AskDeps) {
  return operationsOf(contract, {
    createAsk: async (subject, input) => {
      const { account } = subject
      const people = await addressesOf(deps, account, input)
      const answer = create(deps, subject, { ...input, people })
      return deps.feedback.withPageNamed(account, input.page_id, answer)
    },
    getAsk: ({ account, context }, { ask_id: id, wait_s: waitS }) =>
      wait(deps, { account, id, waitS }, context),
    cancelAsk: async ({ account }, { ask_id: id }) => {
      await find(deps, account, id)
      await deps.database.write((tx) => store.cancel(tx, [id, deps.clock.now()]))
      return wait(deps, { account, id, waitS: 0 })
    },
  })
}
