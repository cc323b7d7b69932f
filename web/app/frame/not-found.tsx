import { Link } from 'wouter'
import { Screen } from './screen.tsx'

export function NotFound() {
  return (
    <Screen title="There is nothing at this address">
      <p>
        The page may have been deleted, or the address mistyped.{' '}
        <Link href="" className="link">
          See all your pages
        </Link>
      </p>
    </Screen>
  )
}
