import { type Activity, Steps, sumOf } from '../activity.ts'
import { type Answer, ask, call, listAll, type Node, Refused } from '../ask.ts'
import { type Browser, newBrowser, type PanelData } from '../browser.ts'
import type { Mails } from '../mails.ts'

interface Page {
  id: string
  slug: string
}

/** @throws Refused for any status that is not a success; `work.ts` decides which are errors */
function expectSuccess(what: string, answer: Answer): Answer {
  if (answer.status >= 300) throw new Refused(what, answer)
  return answer
}

/** Submits responses: one viewer's nth one has the value n and replaces the one before. */
export function responding(): Activity {
  const viewers = Array.from({ length: 3 }, () => ({
    credentials: null as PanelData | null,
    steps: new Steps(),
    isBusy: false,
  }))
  let page: Page | undefined

  return {
    what: 'responses',
    workers: 2,
    async prepare(node) {
      const html = '<!doctype html><title>Form</title><form data-service><input name="n"></form>'
      page = await call(node, 'POST /pages', { body: { html } })
    },
    async act({ url }) {
      const viewer = take(viewers)
      try {
        viewer.credentials ??= await credentialsOf(`${url}/p/${page!.slug}`)
        await viewer.steps.take(async (n) => {
          const input = {
            ...viewer.credentials,
            id: `submission-${n}`,
            data: JSON.stringify({ n }),
          }
          const init = { method: 'POST', body: JSON.stringify(input) }
          expectSuccess('A response', await ask(`${url}/~/responses`, init))
        })
      } finally {
        viewer.isBusy = false
      }
    },
    async check(node) {
      const used = viewers.filter(({ steps }) => steps.sent > 0)
      // A viewer whose first one got no answer may have none.
      const { responses } = await call<{ responses: { data: { n: number } }[] }>(
        node,
        `GET /pages/${page!.id}/responses`,
      )
      const numbers = responses.map(({ data }) => data.n).toSorted((a, b) => b - a)
      const wrong = numbers.length > used.length ? ['there are more responses than viewers'] : []
      // The larger number belongs to the viewer with more answers. With equal answers it belongs to
      // the
      // one who sent another request, which may have been stored without an answer.
      const checks = used
        .toSorted(({ steps: a }, { steps: b }) => b.answered - a.answered || b.sent - a.sent)
        .map(({ steps }, at) => steps.check(numbers[at] ?? 0, 'a response'))
      const sum = sumOf(checks)
      return { ...sum, wrong: [...sum.wrong, ...wrong] }
    },
  }
}

/** Takes a free one and marks it as used. There are more of them than workers. */
function take<T extends { isBusy: boolean }>(among: T[]): T {
  const idle = among.filter(({ isBusy }) => !isBusy)
  const one = idle[Math.floor(Math.random() * idle.length)]!
  one.isBusy = true
  return one
}

async function credentialsOf(url: string): Promise<PanelData> {
  const answer = await ask(url)
  const [, token] = /data-token="([^"]+)"/.exec(answer.text) ?? []
  const [, stamp] = /data-stamp="([^"]+)"/.exec(answer.text) ?? []
  if (!token || !stamp) throw new Refused('A page with a form', answer)
  return { token, stamp }
}

/** Comments of viewers. */
export function commenting(run: string): Activity {
  const sent = new Map<string, boolean>()
  const people: { browser: Browser; panel: PanelData }[] = []
  let page: Page | undefined

  return {
    what: 'comments',
    workers: 2,
    async prepare(node) {
      const body = { html: '<p>Comment on this', allow_comments: true }
      page = await call(node, 'POST /pages', { body })
    },
    async act({ url }) {
      const person = people.pop() ?? (await openedBy(newBrowser(), `${url}/p/${page!.slug}`))
      const id = `${run}-comment-${sent.size}`
      sent.set(id, false)
      try {
        const input = { ...person.panel, id, name: 'Ann Example', body: `Words of ${id}` }
        const answer = await person.browser.callPanel(`${url}/~/comments/post`, input)
        expectSuccess('A comment', answer)
        sent.set(id, true)
      } finally {
        people.push(person)
      }
    },
    async check(node) {
      const path = `/pages/${page!.id}/comments?`
      const stored = await listAll<{ body: string }>(node, path, (data) => data)
      const bodies = stored.map(({ body }) => body)
      const answered = [...sent].filter(([, isAnswered]) => isAnswered).map(([id]) => id)
      const count = answered.filter((id) => bodies.includes(`Words of ${id}`)).length
      const earlier = new Set([...sent.keys()].map((id) => `Words of ${id}`))
      const wrong = bodies.filter((body) => !earlier.has(body)).map((body) => `comment ${body}`)
      if (new Set(bodies).size < bodies.length) wrong.push('a comment is there twice')
      return { answered: answered.length, found: count, wrong }
    },
  }
}

async function openedBy(browser: Browser, url: string) {
  return { browser, panel: await browser.openPanel(url) }
}

const OPTIONS = ['Lisbon', 'Porto', 'Copenhagen']

/** Votes, which each voter changes again and again. */
export function voting(): Activity {
  const voters = Array.from({ length: 4 }, () => ({
    browser: newBrowser(),
    panel: null as PanelData | null,
    steps: new Steps(),
    isBusy: false,
  }))
  let page: Page | undefined

  return {
    what: 'votes',
    workers: 2,
    async prepare(node) {
      const poll = { collect_votes: true, poll_question: 'Where to?', poll_options: OPTIONS }
      page = await call(node, 'POST /pages', { body: { html: '<p>Vote', ...poll } })
    },
    async act({ url }) {
      const voter = take(voters)
      try {
        voter.panel ??= await voter.browser.openPanel(`${url}/p/${page!.slug}`)
        await voter.steps.take(async (n) => {
          const input = { ...voter.panel, is_named: false, option: OPTIONS[n % OPTIONS.length] }
          expectSuccess('A vote', await voter.browser.callPanel(`${url}/~/votes`, input))
        })
      } finally {
        voter.isBusy = false
      }
    },
    async check(node) {
      const checks = []
      let ownVotes = 0
      for (const { browser, panel, steps } of voters.filter(({ steps }) => steps.sent > 0)) {
        const answer = await browser.callPanel(`${node.url}/~/poll`, { ...panel, known: null })
        const { data } = JSON.parse(expectSuccess('A poll', answer).text) as {
          data: { state: { own_vote: { option: string } | null } }
        }
        const option = data.state.own_vote?.option
        if (option !== undefined) ownVotes += 1
        const possible = [steps.sent, steps.answered].filter((n) => n > 0)
        const count = possible.find((n) => OPTIONS[n % OPTIONS.length] === option) ?? 0
        checks.push(steps.check(count, 'a vote'))
      }
      const { total_votes: total } = await call<{ total_votes: number }>(
        node,
        `GET /pages/${page!.id}/poll`,
      )
      const sum = sumOf(checks)
      const wrong = total === ownVotes ? [] : [`${total} votes are counted, ${ownVotes} were cast`]
      return { ...sum, wrong: [...sum.wrong, ...wrong] }
    },
  }
}

/** A page accepts a hundred decisions of one approver. */
const DECISIONS_OF_PAGE = 90

/** Decisions of an approver, each confirmed on our own page. */
export function deciding(run: string, mails: Mails): Activity {
  const email = `approver-${run}@example.com`
  const browser = newBrowser()
  const notes = new Map<string, boolean>()
  const pages: Page[] = []

  async function publish(node: Node): Promise<void> {
    const approvals = { collect_approvals: true, approver_emails: [email] }
    pages.push(await call(node, 'POST /pages', { body: { html: '<p>Approve', ...approvals } }))
  }
  return {
    what: 'decisions',
    workers: 1,
    async prepare(node) {
      await publish(node)
      await signIn(node, { browser, email, mails })
    },
    async act(node) {
      if (notes.size >= DECISIONS_OF_PAGE * pages.length) await publish(node)
      const { url } = node
      const note = `${run} decision ${notes.size}`
      notes.set(note, false)
      const panel = await browser.openPanel(`${url}/p/${pages.at(-1)!.slug}`)
      const decision = notes.size % 2 === 0 ? 'approved' : 'changes_requested'
      const input = { ...panel, decision, note }
      const prepared = await browser.callPanel(`${url}/~/decisions`, input)
      const { data } = JSON.parse(expectSuccess('A decision', prepared).text) as {
        data: { confirm_path: string }
      }
      const response = expectSuccess('A decision', await browser.open(url + data.confirm_path))
      const answer = await browser.submit(url, response)
      if (answer.status !== 200 && answer.status !== 303) throw new Refused('A decision', answer)
      notes.set(note, true)
    },
    async check(node) {
      const stored: (string | null)[] = []
      for (const { id } of pages) {
        const { approvers } = await call<{
          approvers: { note: string | null; history: { note: string | null }[] }[]
        }>(node, `GET /pages/${id}/approvals`)
        for (const { note, history } of approvers) stored.push(note, ...history.map((h) => h.note))
      }
      const answered = [...notes].filter(([, isAnswered]) => isAnswered).map(([note]) => note)
      const wrong = stored
        .filter((note) => note !== null && !notes.has(note))
        .map((note) => `decision ${note}`)
      return {
        answered: answered.length,
        found: answered.filter((note) => stored.includes(note)).length,
        wrong,
      }
    },
  }
}

async function signIn(
  { url }: Node,
  { browser, email, mails }: { browser: Browser; email: string; mails: Mails },
): Promise<void> {
  const form = await browser.open(`${url}/app/sign-in`)
  expectSuccess('A request for a mail', await browser.submit(url, form, { email }))
  const link = await mails.linkTo(email)
  const answer = await browser.open(url + new URL(link).pathname)
  const { status } = await browser.submit(url, answer)
  if (status !== 303) throw new Error(`Signing in was answered ${status}`)
}

/** Asks for links to sign in, each for another address: a mail must come for each answer. */
export function mailing(run: string, mails: Mails): Activity {
  const requests: string[] = []
  let count = 0

  return {
    what: 'mails',
    workers: 2,
    prepare: async () => {},
    async act({ url }) {
      count += 1
      const email = `${run}-${count}@example.com`
      const browser = newBrowser()
      const form = expectSuccess('The form', await browser.open(`${url}/app/sign-in`))
      expectSuccess('A request for a mail', await browser.submit(url, form, { email }))
      requests.push(email)
    },
    async check() {
      await mails.wait(requests)
      const total = requests.filter((email) => mails.countTo(email) > 0).length
      return { answered: requests.length, found: total, wrong: [] }
    },
  }
}
