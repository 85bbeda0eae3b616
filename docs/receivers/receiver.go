// Save as receiver.go; run with: go build receiver.go && ./receiver
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	tolerance    = 5 * time.Minute
	bodyBytesMax = 4 << 20
)

type event struct {
	ID   string          `json:"id"`
	Type string          `json:"type"`
	Data json.RawMessage `json:"data"`
}

var (
	secret      = os.Getenv("WEBHOOK_SECRET")
	standardKey []byte

	mutex   sync.Mutex
	handled = map[string]bool{}
)

func main() {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil || !strings.HasPrefix(secret, "whsec_") {
		log.Fatal("WEBHOOK_SECRET is not set")
	}
	standardKey = key
	port := os.Getenv("PORT")
	if port == "" {
		port = "8000"
	}
	server := &http.Server{
		Addr:        "127.0.0.1:" + port,
		Handler:     http.HandlerFunc(receive),
		ReadTimeout: 10 * time.Second,
	}
	log.Fatal(server.ListenAndServe())
}

func receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, bodyBytesMax))
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if !isGenuine(r.Header, body) {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	var received event
	if err := json.Unmarshal(body, &received); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if err := handleOnce(received); err != nil {
		log.Print(err)
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func isGenuine(headers http.Header, body []byte) bool {
	service := "sha256=" + hex.EncodeToString(sign([]byte(secret), body))
	serviceSent := []string{headers.Get("X-service-Signature"), headers.Get("X-service-Signature-Previous")}

	timestamp := headers.Get("webhook-timestamp")
	signed := append([]byte(headers.Get("webhook-id")+"."+timestamp+"."), body...)
	standard := "v1," + base64.StdEncoding.EncodeToString(sign(standardKey, signed))
	standardSent := strings.Split(headers.Get("webhook-signature"), " ")

	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil {
		return false
	}
	age := time.Since(time.Unix(seconds, 0))
	isFresh := -tolerance <= age && age <= tolerance

	return isAnyEqual(serviceSent, service) && isAnyEqual(standardSent, standard) && isFresh
}

func sign(key, message []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write(message)
	return mac.Sum(nil)
}

func isAnyEqual(sent []string, expected string) bool {
	for _, each := range sent {
		if hmac.Equal([]byte(each), []byte(expected)) {
			return true
		}
	}
	return false
}

func handleOnce(received event) error {
	mutex.Lock()
	defer mutex.Unlock()
	if handled[received.ID] {
		return nil
	}
	if err := handle(received); err != nil {
		return err
	}
	handled[received.ID] = true
	return nil
}

// Short work, or the insert of a job for a worker.
func handle(received event) error {
	fmt.Println("handled", received.ID, received.Type)
	return nil
}
