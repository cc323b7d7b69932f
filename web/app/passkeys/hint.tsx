import { stored } from '../../stored.ts'
import { useIsHydrated } from '../account.ts'
import { createStore, useStore } from '../store.ts'
import { Button, QuietButton } from '../ui/button.tsx'
import { useAddPasskey, useIsWithoutMail, usePasskeySupport, usePasskeys } from './use-passkeys.ts'

const storage = stored('localStorage', 'handbill-passkey-hint')
const dismissed = createStore(false)

/** A line for those who cannot sign in again, until they add a passkey or send it away. */
export function PasskeyHint() {
  const isHydrated = useIsHydrated()
  const isDismissed = useStore(dismissed) || (isHydrated && storage.read() !== null)
  const isWithoutMail = useIsWithoutMail()
  const support = usePasskeySupport()
  const isDue = isHydrated && isWithoutMail && support === 'yes' && !isDismissed
  const { data } = usePasskeys({ isRead: isDue })
  const add = useAddPasskey()
  if (!isDue || data === undefined || data.length > 0) return null
  return (
    <p className="mb-6 flex flex-wrap items-center gap-x-3 gap-y-1 text-muted">
      Add a passkey, so that you can sign in again: this server sends no mail.
      <span className="flex gap-1">
        <Button mutation={add}>Add a passkey</Button>
        <QuietButton
          onClick={() => {
            storage.write('off')
            dismissed.set(true)
          }}
        >
          Not now
        </QuietButton>
      </span>
    </p>
  )
}
