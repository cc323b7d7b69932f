import type { Decision } from '../../../features/access/index.ts'
import type { Agreements } from '../../../features/agreements/index.ts'
import type { PublishedPage } from '../../../features/pages/index.ts'
import { html } from '../../../model/html.ts'
import { displayEmail } from '../../../platform/display-email.ts'
import { buildResponse } from '../../kit/response.ts'
import { contentHeaders } from '../request/content-headers.ts'
import { field, form, type GateView, sheet } from './pages.ts'

/** The name of the PDF of an agreement, at `/p/{slug}/~/`. */
export const AGREEMENT_NAME = 'agreement.pdf'

interface Agreement {
  version: number
  /** Null: it is a PDF. */
  text: string | null
  /** The address that this browser has confirmed for the page. */
  email: string | null
}

/** What a page asks to accept before it opens. Its text is the owner's: shown as text alone. */
export function agreementGate(view: GateView, { version, text, email }: Agreement): string {
  const address = email === null ? '' : ` and your address ${displayEmail(email)}`
  const words = {
    title: 'Agree before you open this page',
    why: 'Its owner asks you to read this and to agree to it.',
    help: `The owner gets your name${address}, the time, and which text you agreed to.`,
  }
  const file = html`<p><a class="button quiet" href="/p/${view.slug}/~/${AGREEMENT_NAME}"
 target="_blank">Read the agreement (PDF)</a></p>`
  const agreement = text === null ? file : html`<div class="agreement">${text}</div>`
  const input = { name: 'name', label: 'Your name', type: 'text', autocomplete: 'name' }
  // The text comes first: a field with the focus would scroll past it.
  const fields = html`<input type="hidden" name="version" value="${version}">
${field(view, { ...input, isFocused: false })}`
  const doing = html`${agreement}
${form(view, 'agree', fields, 'Agree and open')}`
  return sheet(view, words, { doing })
}

type FileDeps = { agreements: Pick<Agreements, 'version'> }

/** Answers the PDF of an agreement to those whom the gate lets in, or asks nothing but that. */
export function createAgreementFile({ agreements }: FileDeps) {
  return async (
    request: Request,
    publishedPage: PublishedPage,
    decision: Pick<Decision, 'outcome'> & { question?: string },
  ): Promise<Response | null> => {
    const { page, gate } = publishedPage
    const mayRead = decision.outcome === 'open' || decision.question === 'agreement'
    if (gate.agreement?.type !== 'pdf' || !mayRead) return null
    const { data } = await agreements.version(page, gate.agreement.version)
    const headers = contentHeaders(publishedPage, 'application/pdf')
    return buildResponse(request, { headers, body: data })
  }
}
