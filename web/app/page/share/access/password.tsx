import { Eye, EyeOff, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { PASSWORD_LENGTH } from '../../../../../src/model/page/limits.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy.tsx'
import { TextField } from '../../../ui/field.tsx'
import { useSharing } from '../sharing.ts'
import { type Parsed, useDraft } from '../use-draft.ts'

/** The password: shown, copied, typed anew, or made by the server. */
export function Password() {
  const { page, state, save } = useSharing()
  const [isShown, setShown] = useState(false)
  const draft = useDraft({
    field: 'password',
    label: 'Password',
    stored: page.password ?? '',
    parse: (text) => parsePassword(text, page.password),
    waitsForBlur: true,
  })
  const isComing = state.pending.some(
    ({ values }) => 'password' in values && values.password === null,
  )
  return (
    <>
      <div className="flex items-end gap-1">
        <div className="min-w-0 flex-1">
          <TextField
            label="Password"
            type={isShown ? 'text' : 'password'}
            autoComplete="off"
            spellCheck={false}
            placeholder={
              isComing || page.password === undefined ? 'Four words are on their way' : ''
            }
            className="font-mono"
            {...draft.props}
          />
        </div>
        <IconButton
          label={isShown ? 'Hide password' : 'Show password'}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? <EyeOff size={16} /> : <Eye size={16} />}
        </IconButton>
      </div>
      {draft.error && (
        <p role="alert" className="text-13 text-danger">
          {draft.error}
        </p>
      )}
      <div className="-mt-2 -ml-3 flex flex-wrap">
        <CopyButton look="quiet" text={page.password ?? ''} label="Copy password" />
        <CopyButton
          look="quiet"
          text={`${page.url}\nPassword: ${page.password ?? ''}`}
          label="Copy link and password"
        />
        <Button
          look="quiet"
          icon={<RefreshCw size={16} aria-hidden />}
          onClick={() => {
            draft.reset()
            setShown(true)
            save('password', { password: null })
          }}
        >
          New password
        </Button>
      </div>
      <p className="text-13 text-muted">
        A new password ends the visits of all who came in with the old one.
      </p>
    </>
  )
}

function parsePassword(text: string, stored: string | undefined): Parsed {
  if (text === stored) return null
  const { min, max } = PASSWORD_LENGTH
  if (text.length < min || text.length > max) {
    return { problem: `A password has ${min} to ${max} characters.` }
  }
  return { values: { password: text } }
}
