/** Fills an account with pages as people have them: every kind, state and conversation. */

import type { Page } from '../client.ts'
import { panelOf } from '../comments/panel.ts'
import { person } from '../gates/person.ts'
import { type MailedOwner, newEmail } from '../gates/setup.ts'
import { base64, isoIn, pdf } from '../material.ts'
import { voter } from '../polls/voter.ts'
import { viewer } from '../responses/viewer.ts'

const DAY_MS = 24 * 60 * 60 * 1000

export interface SampleAccount {
  plan: Page
  survey: Page
  deck: Page
  report: Page
}

export async function fillAccount(owner: MailedOwner): Promise<SampleAccount> {
  const approvers = [newEmail('mara'), newEmail('ben')]
  await owner.publish({ html: documentOf('Interview notes'), publish: false })
  await owner.publish({
    html: documentOf('Summer party invitation'),
    expires_at: isoIn(-DAY_MS),
  })
  await owner.publish({
    html: documentOf('Budget 2027'),
    access: 'people',
    allowed_emails: [newEmail('bob'), newEmail('cem'), newEmail('dora')],
  })
  const report = await owner.publish({
    file_base64: base64(pdf('Annual report')),
    filename: 'annual-report.pdf',
    title: 'Annual report',
    access: 'email_gate',
  })
  const deck = await owner.publish({
    title: 'Quarterly review',
    files: ['index.html', 'team.html', 'numbers.html'].map((path) => ({
      path,
      html: documentOf('Quarterly review'),
    })),
    access: 'password',
    password: 'copper lantern meadow tide',
  })
  const survey = await owner.publish({ html: documentOf('Team survey', SURVEY) })
  const plan = await owner.publish({
    html: documentOf('Launch plan for the spring collection'),
    slug: `spring-launch-${crypto.randomUUID().slice(0, 6)}`,
    accent: 'teal',
    allow_comments: true,
    collect_votes: true,
    poll_question: 'Which colour opens the show?',
    poll_options: ['Blue', 'Green', 'Terracotta'],
    collect_approvals: true,
    approver_emails: approvers,
  })
  await Promise.all([answer(survey), discuss(owner, plan), vote(plan), open([plan, deck, survey])])
  await owner.update(plan.id, { html: documentOf('Launch plan for the spring collection', EXTRA) })
  return { plan, survey, deck, report }
}

const SURVEY = `<form data-service>
<label>Your name <input name="name" data-label="Your name"></label>
<label>How was the year, 1 to 5? <input type="number" name="score" data-label="How was the year?"></label>
<label>Where next? <select name="place"><option>Lisbon<option>Oslo<option>Trieste</select></label>
<label>Anything else? <textarea name="words"></textarea></label><button>Send</button></form>`
const EXTRA = '<p>The photographs are due on the second of May.</p>'

const ANSWERS = [
  { name: 'Ada', score: 5, place: 'Lisbon', words: 'More of the Thursday demos.' },
  { name: 'Grace', score: 4, place: 'Oslo', words: '' },
  { name: 'Linus', score: 3, place: 'Lisbon', words: 'Fewer meetings before ten.' },
  { name: 'Margaret', score: 5, place: 'Trieste', words: 'The new office is quiet. Keep it.' },
]

async function answer(survey: Page): Promise<void> {
  for (const data of ANSWERS) await viewer().respond(survey, data)
}

async function discuss(owner: MailedOwner, plan: Page): Promise<void> {
  const ada = await panelOf(plan)
  const { id } = await ada.comment('Is nine too early for a Friday? Half of the team travels.', {
    name: 'Ada',
    anchor: {
      quote: 'open the new store on Friday at nine',
      prefix: 'We ',
      suffix: '. Bring a friend',
      element: null,
    },
  })
  await owner.call('POST', `/pages/${plan.id}/comments`, {
    body: 'Ten then. I will change it.',
    parent_id: id,
  })
  const grace = await panelOf(plan)
  await grace.comment('Could the photographs come first? They are the best part.', {
    name: 'Grace',
  })
}

async function vote(plan: Page): Promise<void> {
  for (const option of ['Terracotta', 'Terracotta', 'Blue']) await voter().vote(plan, option)
}

async function open(pages: Page[]): Promise<void> {
  for (const { slug } of pages) {
    for (let opens = 0; opens < 3; opens += 1) await person().open(`/p/${slug}`)
  }
}

function documentOf(title: string, more = ''): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>
<style>body { font: 19px/1.65 Georgia, serif; color: #22303a; background: #fffdf8; margin: 0 auto;
max-width: 620px; padding: 64px 24px } h1 { font-size: 40px; line-height: 1.15; margin: 0 0 24px }
label { display: block; margin: 12px 0 }</style></head><body><h1>${title}</h1>
<p>We open the new store on Friday at nine. Bring a friend, and ask for the blue card at the door.</p>
<p>The window shows the three colours of the collection, in the order that you choose below.</p>
${more}</body></html>`
}
