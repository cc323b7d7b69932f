import { useQueryClient } from '@tanstack/preact-query'
import { useState } from 'preact/compat'
import { count } from '../../../src/model/numbers.ts'
import type { ListedPage } from '../boot.ts'
import { parseAddresses } from '../page/share/addresses.ts'
import { ACCESS_PHRASES } from '../page/words.ts'
import { FormDialog } from '../ui/confirm.tsx'
import { Note, Select, TextField } from '../ui/field.tsx'
import { changeAccess, type SharedAccess } from './change-access.ts'

const { password: _, ...CHOICES } = ACCESS_PHRASES

interface AccessDialogProps {
  pages: readonly ListedPage[]
  onClose(): void
}

/** Sets who may open several pages, and says before what that opens. */
export default function AccessDialog({ pages, onClose }: AccessDialogProps) {
  const client = useQueryClient()
  const [access, setAccess] = useState<SharedAccess>('private')
  const [text, setText] = useState('')
  const { items: invited, bad } = parseAddresses(text)
  const problem = bad.length > 0 ? `${bad.join(', ')}: not an email address.` : undefined

  function change(): void {
    if (problem !== undefined) return
    onClose()
    void changeAccess(client, pages, { access, invited })
  }
  return (
    <FormDialog
      title={`Who may open ${pages.length === 1 ? 'the page' : count(pages.length, 'page')}`}
      action="Change"
      onSubmit={change}
      onClose={onClose}
    >
      <Select
        label="Who may open them"
        value={access}
        options={CHOICES}
        onChange={({ currentTarget }) => setAccess(currentTarget.value as SharedAccess)}
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
  return `${which} ${verb} open to ${WORDS[access]}.${later}${lost}`
}

const WORDS: Record<SharedAccess, string> = {
  link: 'anyone with the link',
  people: 'invited people alone',
  private: 'you alone',
  email_gate: 'anyone who confirms an email',
}
