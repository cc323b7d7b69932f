import { useState } from 'preact/compat'
import { count } from '../../../src/model/numbers.ts'
import { api, type Input, type ListedPage, type Page } from '../api.ts'
import { parseAddresses } from '../page/share/addresses.ts'
import { ACCESS_PHRASES, AUDIENCES } from '../page/words.ts'
import { FormDialog, useClose } from '../ui/dialog.tsx'
import { Note, Select, TextField } from '../ui/field.tsx'
import { changeEach } from './actions.ts'

/** Who may open several pages. A page's password is its own, and so is set on its screen. */
type SharedAccess = Exclude<Page['access'], 'password'>

const { password: _, ...CHOICES } = ACCESS_PHRASES

/** Sets who may open several pages, and says before what that opens. */
export default function AccessDialog({ pages }: { pages: readonly ListedPage[] }) {
  const close = useClose()
  const [access, setAccess] = useState<SharedAccess>('private')
  const [text, setText] = useState('')
  const { items: emails, bad } = parseAddresses(text)
  const problem = bad.length > 0 ? `${bad.join(', ')}: not an email address.` : undefined
  const title = `Who may open ${pages.length === 1 ? 'the page' : count(pages.length, 'page')}`

  function change(): void {
    if (problem !== undefined) return
    close()
    void changeAccess(pages, access, emails)
  }
  return (
    <FormDialog title={title} action="Change" onSubmit={change}>
      <Select
        label="Who may open them"
        value={access}
        options={CHOICES}
        onText={(level) => setAccess(level as SharedAccess)}
      />
      {access === 'people' && (
        <TextField
          label="Invite by email"
          help="They are added to those who are invited already. Nobody is mailed."
          placeholder="ann@example.com, bob@example.com"
          value={text}
          error={problem}
          onText={setText}
        />
      )}
      <Note>{consequence(pages, access)}</Note>
    </FormDialog>
  )
}

/**
 * Sets who may open pages, which can be undone exactly.
 *
 * @param invitees addresses that are added to those who are invited already, for `people`
 */
function changeAccess(pages: readonly ListedPage[], access: SharedAccess, invitees: string[]) {
  const before = new Map<string, Input<'updatePage'>>()
  const phrase = ACCESS_PHRASES[access]
  return changeEach(pages, {
    async act({ id }) {
      const { data: page } = await api.getPage({ id })
      const { access: was, allowed_emails: emails, password } = page
      before.set(id, { id, access: was, allowed_emails: emails, ...(password && { password }) })
      const all = { allowed_emails: [...new Set([...emails, ...invitees])] }
      await api.updatePage({ id, access, ...(access === 'people' && all) })
    },
    undo: ({ id }) => api.updatePage(before.get(id)!),
    message: (what) => `${what}: ${phrase.charAt(0).toLowerCase()}${phrase.slice(1)}`,
  })
}

/** What the change does to those pages that are not so already. */
function consequence(pages: readonly ListedPage[], access: SharedAccess): string {
  const others = pages.filter((page) => page.access !== access)
  if (others.length === 0) return 'All of them are so already.'
  const which =
    pages.length === 1 ? 'It' : others.length === pages.length ? 'All of them' : `${others.length}`
  const verb = others.length === 1 ? 'becomes' : 'become'
  const passwords = others.filter((page) => page.access === 'password').length
  const lost = passwords === 0 ? '' : ' A password that is set now no longer opens anything.'
  const isAnyDraft = others.some((page) => !page.is_published)
  const later = isAnyDraft ? ' Drafts do once they are published.' : ''
  return `${which} ${verb} open to ${AUDIENCES[access]}.${later}${lost}`
}
