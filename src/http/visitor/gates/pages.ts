import type { Question } from '../../../features/access/index.ts'
import type { Brand } from '../../../model/brand.ts'
import { type Html, html } from '../../../model/html.ts'
import type { PageSettings } from '../../../model/page/index.ts'
import type { Site } from '../../../model/site.ts'
import { displayEmail } from '../../../platform/display-email.ts'
import type { Assets } from '../../kit/assets.ts'
import { aboutLine, brandLine } from '../../kit/brand.ts'
import { layoutPage } from '../../kit/layout.ts'
import type { NoticeText } from '../../kit/notice.ts'
import { encodePath } from '../request/paths.ts'

/** The data that a gate shows. The page's own title is content and never part of it. */
export interface GateView {
  slug: string
  settings: PageSettings
  brand: Brand
  site: Site
  assets: Assets
  /** Whether mails go out. Without a mail server they wait for whoever runs this one. */
  sendsMails: boolean
  /** Proves that a form comes from the page that we sent to this browser. */
  formToken: string
  /** The deck path to open once the gate admits the visitor, or ''. */
  path: string
  /** The requested address of a preview. */
  previewPath?: string | undefined
  /** The error of the form, and the value that its field shows again. */
  error?: string | undefined
  value?: string | undefined
  /** Takes the fragment of the address along. */
  script?: string | undefined
}

export function gatePage(
  question: Exclude<Question, 'agreement'>,
  view: GateView,
  mayRequest: boolean,
): string {
  const more = mayRequest && requestForm(view)
  switch (question) {
    case 'password': {
      const input = { name: 'password', label: 'Password', type: 'password', autocomplete: 'off' }
      const doing = form(view, 'password', field(view, input), 'Open the page')
      return sheet(view, WORDS.password, { doing })
    }
    case 'owner': {
      const words = view.previewPath === undefined ? WORDS.private : WORDS.preview
      return sheet(view, words, { doing: signInLink(view) })
    }
    case 'sign_in':
      return sheet(view, WORDS.sign_in, { doing: signInLink(view), more })
    case 'email': {
      const words = view.settings.access === 'people' ? WORDS.invited_email : WORDS.email
      return sheet(view, words, { doing: emailForm(view), more })
    }
    case 'another_email':
      return sheet(view, WORDS.another_email, { doing: emailForm(view), more })
  }
}

const WORDS = {
  private: {
    title: 'This page is private',
    why: 'Only its owner can open it.',
    help: 'If it is yours, sign in. If it was meant for you, ask the owner to share it.',
  },
  preview: {
    title: 'This is a preview',
    why: 'Only the owner of the page sees it.',
    help: 'If the page is yours, sign in. If not, ask its owner for the link of the page itself.',
  },
  sign_in: {
    title: 'This page is for invited people',
    why: 'Its owner lets in invited people who are signed in.',
    help: 'Sign in with the address that was invited.',
  },
  password: {
    title: 'This page has a password',
    why: 'Its owner shares it with people who know the password.',
    help: 'You get the password from the person who sent you the link.',
  },
  invited_email: {
    title: 'This page is for invited people',
    why: 'Give the address that was invited, and confirm it from a mail.',
    help: 'One confirmation opens every page here that the address may open.',
  },
  email: {
    title: 'This page asks for an email',
    why: 'Its owner sees who opens it. Give your address, and confirm it from a mail.',
    help: 'One confirmation opens every page here that the address may open.',
  },
  another_email: {
    title: 'This address may not open the page',
    why: 'You confirmed an address that its owner does not let in. Another one may.',
    help: 'Ask the owner which address they expect.',
  },
} satisfies Record<string, NoticeText>

function signInLink(view: GateView): Html {
  const next = addressOf(view)
  const href = `/app/sign-in?next=${encodeURIComponent(next)}`
  return html`<p><a class="button" data-next="${next}" href="${href}">Sign in</a></p>`
}

export interface CheckMail {
  email: string
  /** Enough mails were sent to the address: the newest is to be used. */
  isSentBefore: boolean
}

/** The page after an address was given. It is the same whether or not the address is invited. */
export function checkMailPage(view: GateView, checkMail: CheckMail): string {
  const { isSentBefore } = checkMail
  const email = displayEmail(checkMail.email)
  const words: NoticeText = {
    title: view.sendsMails ? 'Check your mail' : 'Ask for your code',
    why: whyCheckMail(view, email, isSentBefore),
    help: !view.sendsMails
      ? `Open its link in this browser, or type the code here. Both work once, for 15 minutes.${
          view.settings.access === 'people'
            ? ' Quicker: the owner of the page can copy a link for you.'
            : ''
        }`
      : `If you open the link in this browser, this page opens by itself. If you read your mail on
another device, type the code here. Both work once, for 15 minutes. If nothing comes, look in the
spam folder.`,
  }
  const input = {
    name: 'code',
    label: 'Code',
    type: 'text',
    autocomplete: 'one-time-code',
    inputmode: 'numeric',
  }
  const code = html`<input type="hidden" name="email" value="${email}">${field(view, input)}`
  const doing = html`<div id="waiting" data-status="/p/${view.slug}/~/status">
${form(view, 'code', code, 'Open the page')}
</div>`
  return sheet(view, words, { doing })
}

const addressOf = ({ slug, path, previewPath }: GateView): string =>
  previewPath ?? (path === '' ? `/p/${slug}` : `/p/${slug}/${encodePath(path)}`)

/** Only a gate for invited people hides whom it admits. */
function whyCheckMail(view: GateView, email: string, isSentBefore: boolean): string {
  const { settings, sendsMails } = view
  if (!sendsMails) {
    const start = settings.access === 'people' ? `If ${email} may open this page, a` : 'A'
    const mail = `${start} mail with a link and a code waits for whoever runs this server`
    return `${mail}, which sends none.${isSentBefore ? ' Use the link of the newest.' : ''}`
  }
  if (settings.access !== 'people') {
    return isSentBefore
      ? `Several mails to ${email} are on their way. Open the link of the newest.`
      : `A link and a code are on their way to ${email}.`
  }
  return isSentBefore
    ? `If ${email} may open this page, several mails are on their way. Open the link of the newest.`
    : `If ${email} may open this page, a link and a code are on their way.`
}

export function requestSentPage(view: GateView): string {
  const words: NoticeText = {
    title: 'Your request is on its way',
    why: view.sendsMails
      ? 'The owner decides. If they let you in, a mail with the link comes to your address.'
      : 'The owner decides. This server sends no mail: if they let you in, they give you a link.',
    help: 'You can close this page.',
  }
  return sheet(view, words, {})
}

function emailForm(view: GateView): Html {
  const input = { name: 'email', label: 'Email', type: 'email', autocomplete: 'email' }
  const fragment = html`<input type="hidden" name="fragment">`
  const { sendsMails, settings } = view
  const action = sendsMails ? 'Send me a link' : 'Make a link'
  const own = form(view, 'email', html`${fragment}${field(view, input)}`, action)
  const forLink = settings.access === 'people' && ' to copy a link for you'
  return html`${
    !sendsMails &&
    html`<p class="help">This server sends no mail: ask the owner of the
page${forLink}. The form is for people who get their mail from its operator.</p>
`
  }${own}`
}

function requestForm(view: GateView): Html {
  return html`<details><summary>Not invited yet</summary>
${form(
  view,
  'request',
  html`<label class="field">Your email
<input name="email" type="email" autocomplete="email" required maxlength="320"></label>`,
  'Ask the owner',
)}
</details>`
}

export function form(view: GateView, action: string, inner: Html, button: string) {
  const { slug, formToken, path } = view
  return html`<form method="post" action="/p/${slug}/~/${action}">
<input type="hidden" name="token" value="${formToken}">
<input type="hidden" name="path" value="${path}">
${inner}
<button class="button">${button}</button>
</form>`
}

export interface Field {
  name: string
  label: string
  type: string
  autocomplete: string
  inputmode?: string
  isFocused?: boolean
}

export function field({ error, value }: GateView, input: Field): Html {
  const { name, label, type, autocomplete, inputmode, isFocused = true } = input
  const isWrong = error !== undefined
  return html`<label class="field">${label}
<input name="${name}" type="${type}" autocomplete="${autocomplete}"
 required${isFocused && html` autofocus`}
 maxlength="320"${inputmode !== undefined && html` inputmode="${inputmode}"`}
 value="${value ?? ''}"${isWrong && html` aria-invalid="true" aria-describedby="error"`}>
</label>
${isWrong && html`<p class="error" id="error" role="alert">${error}</p>`}`
}

interface SheetParts {
  /** What the visitor has to do. */
  doing?: Html
  more?: Html | false
}

export function sheet(
  view: GateView,
  { title, why, help }: NoticeText,
  { doing, more }: SheetParts,
) {
  // What only its owner opens was shared with nobody.
  const isShared = view.settings.access !== 'private' && view.previewPath === undefined
  return layoutPage({
    title,
    accent: view.brand.accent,
    site: view.site,
    assets: view.assets,
    script: view.script,
    main: html`${isShared && brandLine(view.brand)}${aboutLine(view.settings.og_title)}
<h1 data-page="${addressOf(view)}">${title}</h1>
<p class="why">${why}</p>
${doing}
<p class="help">${help}</p>
${more}`,
  })
}
