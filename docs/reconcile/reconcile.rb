# Save as reconcile.rb; run with: ruby reconcile.rb
require "digest"
require "json"
require "net/http"

ids = $stdin.read.split.uniq
digest = ids.sum { |id| Digest::SHA256.hexdigest(id).hex } % (2**256)

query = URI.encode_www_form(subscriptionId: ENV.fetch("SUBSCRIPTION_ID"), day: ENV.fetch("DAY"))
url = URI("#{ENV.fetch("TRADEPOST_URL")}/v1/webhooks/ledger?#{query}")
response = Net::HTTP.get_response(url, "Authorization" => "Bearer #{ENV.fetch("TRADEPOST_API_KEY")}")
ledger = JSON.parse(response.body).fetch("data")
puts "#{ledger["digest"].hex == digest ? "equal" : "different"} #{ledger["closed"] ? "closed" : "open"}"
