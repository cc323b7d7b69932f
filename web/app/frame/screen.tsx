import { type ReactNode, useEffect } from 'preact/compat'
import { useBoot } from '../account.ts'
import { TextLink } from '../ui/link.tsx'

interface ScreenProps {
  title: string
  action?: ReactNode
  children: ReactNode
}

export function Screen({ title, action, children }: ScreenProps) {
  useTitle(title)
  return (
    <>
      <header className="mb-6 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h1 className="min-w-0 font-serif text-28 font-medium">{title}</h1>
        {action}
      </header>
      {children}
    </>
  )
}

export function useTitle(title: string): void {
  const { server_name: server } = useBoot()
  useEffect(() => {
    document.title = `${title} · ${server}`
  }, [title, server])
}

export function NotFound() {
  return (
    <Screen title="There is nothing at this address">
      <p>
        The page may have been deleted, or the address mistyped.{' '}
        <TextLink href="">See all your pages</TextLink>
      </p>
    </Screen>
  )
}
