import Image from 'next/image'
import Link from 'next/link'
import Counter from './counter.jsx'

export default function Home() {
  return (
    <main>
      <h1>Harbour</h1>
      <Image src="/boat.png" width={160} height={90} alt="A boat" />
      <Counter name="boats" />
      <p>
        <Link href="/about">About</Link> <Link href="/docs">Docs</Link>
      </p>
    </main>
  )
}
