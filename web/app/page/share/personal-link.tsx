import type { ReactNode } from 'preact/compat'
import { useBoot } from '../../account.ts'
import { api, type Page } from '../../api.ts'
import { CopyButton } from '../../ui/copy.tsx'
import { Note, TextArea } from '../../ui/field.tsx'

interface PersonalLinkProps {
  page: Page
  email: string
  purpose: 'view' | 'approve'
}

/** Makes a link for one person, and copies it. A new one ends the one before. */
export function CopyPersonalLink({ page: { id }, email, purpose }: PersonalLinkProps) {
  const make = async () => (await api.makePersonalLink({ id, email, purpose })).data.url
  return <CopyButton look="quiet" isIcon text={make} label={`Copy link for ${email}`} />
}

interface MessageFieldProps {
  label?: string
  value: string
  onText(text: string): void
}

export function MessageField({ label = 'Message', ...rest }: MessageFieldProps) {
  return (
    <TextArea
      label={label}
      help="Optional. It stands in the mail above the link."
      rows={3}
      maxLength={2000}
      dir="auto"
      {...rest}
    />
  )
}

/** Before anything that would be mailed, where no mail goes out. */
export function NoMailNote({ children }: { children: ReactNode }) {
  if (useBoot().sends_mails) return null
  return <Note>Mail is not set up on this server: {children}</Note>
}

/** Beside what asks for a confirmed address: who has one where no mail goes out. */
export function useConfirmedNote(): string {
  if (useBoot().sends_mails) return ''
  return ' Mail is not set up on this server: only who opened a link that you copied has one.'
}
