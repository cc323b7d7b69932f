import { ACCESS_PHRASES } from '../page/words.ts'
import type { Settings } from '../publishing/publish.ts'
import { Select, TextArea, TextField } from '../ui/field.tsx'
import type { NewPage } from './draft.ts'

interface AccessFieldProps {
  draft: NewPage
  onChange(change: Partial<NewPage>): void
  /** What is wrong with a setting; null where nothing is. */
  errorOf(setting: string): string | null
}

/** Who may open the page, in one line, and what the choice needs. */
export function AccessField({ draft, onChange, errorOf }: AccessFieldProps) {
  const { access, password, emails } = draft
  return (
    <>
      <Select
        label="Who may open it"
        value={access}
        onChange={({ target }) => onChange({ access: target.value as NewPage['access'] })}
      >
        {Object.entries(ACCESS_PHRASES).map(([level, phrase]) => (
          <option key={level} value={level}>
            {phrase}
          </option>
        ))}
      </Select>
      {access === 'password' && (
        <TextField
          label="Password"
          help="Left empty, one is made that can be said aloud."
          autoComplete="off"
          spellCheck={false}
          value={password}
          onChange={({ target }) => onChange({ password: target.value })}
          error={errorOf('password')}
        />
      )}
      {access === 'people' && (
        <TextArea
          label="Invite by email"
          help="One address a line, or with commas between them."
          rows={3}
          value={emails}
          onChange={({ target }) => onChange({ emails: target.value })}
          error={errorOf('allowed_emails')}
        />
      )}
    </>
  )
}

export function accessSettings({ access, password, emails }: NewPage): Settings {
  if (access === 'password') return { access, ...(password && { password }) }
  if (access !== 'people') return { access }
  return { access, allowed_emails: emails.split(/[\s,;]+/).filter((email) => email !== '') }
}
