import L from 'leaflet'
import 'leaflet/dist/leaflet.css'

const box = document.getElementById('app')
box.style.cssText = 'width: 512px; height: 512px'
const map = L.map(box, { zoomAnimation: false, fadeAnimation: false }).setView([0, 0], 1)
L.tileLayer('tiles/{z}/{x}/{y}.png', { noWrap: true, attribution: 'Drawn by hand' })
  .on('load', () => box.insertAdjacentHTML('afterend', '<p>All four tiles are here.</p>'))
  .addTo(map)
L.marker([20, 30], { icon: L.icon({ iconUrl: 'pin.svg', iconSize: [16, 16] }) })
  .addTo(map)
  .bindPopup('A spring')
  .openPopup()
