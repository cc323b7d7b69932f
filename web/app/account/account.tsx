import { useAccount } from '../account.ts'
import { Screen } from '../frame/screen.tsx'
import { Button } from '../ui/button.tsx'
import { DeleteAccount } from './delete-account.tsx'
import { Plan } from './plan.tsx'
import { Profile } from './profile.tsx'
import { Sessions } from './sessions.tsx'
import { signOut } from './sign-out.ts'
import { SingleSignOn } from './single-sign-on.tsx'
import { Transfer } from './transfer.tsx'

/** What the account has and uses. */
export default function AccountScreen() {
  const account = useAccount()
  return (
    <Screen title="Account" action={<Button onClick={signOut}>Sign out</Button>}>
      <div className="grid max-w-2xl grid-cols-1 gap-12">
        <Profile account={account} />
        {!account.is_guest && <Plan account={account} />}
        <SingleSignOn />
        <Sessions />
        {!account.is_guest && <Transfer />}
        <DeleteAccount account={account} />
      </div>
    </Screen>
  )
}
