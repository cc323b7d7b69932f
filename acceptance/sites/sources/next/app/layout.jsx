export const metadata = { title: 'Harbour' }

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body style={{ fontFamily: 'sans-serif', margin: 32 }}>{children}</body>
    </html>
  )
}
