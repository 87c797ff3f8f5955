// This program verifies a sample log with the packages that Go's own checksum database uses. The folder it is given
// holds sample.json (keys, checkpoints and proofs) and the files of the log, as tlog-tiles lays them out.
package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// timestampedEd25519 is the signature type of C2SP tlog-cosignature, which the package leaves to its callers.
const timestampedEd25519 = 4

const tileHeight = 8

type sample struct {
	Origin      string
	Keys        []struct{ Private, Vkey string }
	Checkpoints []struct{ Note string }
	Inclusion   []struct {
		Size, Index int64
		Proof       []tlog.Hash
	}
	Consistency []struct {
		From, To int64
		Proof    []tlog.Hash
	}
}

// report counts what was verified, by kind, and names what was not.
type report struct {
	Verified map[string]int `json:"verified"`
	Faults   []string       `json:"faults"`
}

func (r *report) add(kind, name string, err error) {
	if err != nil {
		r.Faults = append(r.Faults, fmt.Sprintf("%s %s: %v", kind, name, err))
		return
	}
	r.Verified[kind]++
}

func main() {
	folder := os.Args[1]
	var given sample
	text, err := os.ReadFile(filepath.Join(folder, "sample.json"))
	if err == nil {
		err = json.Unmarshal(text, &given)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	result := report{Verified: map[string]int{}, Faults: []string{}}
	verify(folder, given, &result)
	if err := json.NewEncoder(os.Stdout).Encode(result); err != nil {
		os.Exit(2)
	}
}

func verify(folder string, given sample, result *report) {
	trees := map[int64]tlog.Tree{}
	var largest int64
	for at, checkpoint := range given.Checkpoints {
		tree, err := openCheckpoint(checkpoint.Note, given)
		result.add("note", strconv.Itoa(at), err)
		if err == nil {
			trees[tree.N] = tree
		}
		if tree.N > largest {
			largest = tree.N
		}
	}

	entries, err := readEntries(folder, largest)
	result.add("entries", strconv.FormatInt(largest, 10), err)
	if err != nil {
		return
	}
	// Everything below is computed from the entries alone, so it is independent of the tiles that are compared with it.
	var stored hashList
	for at, entry := range entries {
		hashes, err := tlog.StoredHashes(int64(at), entry, stored)
		if err != nil {
			result.add("entries", strconv.Itoa(at), err)
			return
		}
		stored = append(stored, hashes...)
	}
	for size, tree := range trees {
		root, err := tlog.TreeHash(size, stored)
		if err == nil && root != tree.Hash {
			err = errors.New("the root is another one")
		}
		result.add("root", strconv.FormatInt(size, 10), err)
		for _, tile := range tlog.NewTiles(tileHeight, 0, size) {
			result.add("tile", tile.Path(), compareTile(folder, tile, stored))
		}
	}
	for _, proof := range given.Inclusion {
		name := fmt.Sprintf("of %d in %d", proof.Index, proof.Size)
		result.add("inclusion", name, checkInclusion(folder, trees[proof.Size], proof.Index, proof.Proof, entries))
	}
	for _, proof := range given.Consistency {
		name := fmt.Sprintf("of %d with %d", proof.To, proof.From)
		result.add("consistency", name, checkConsistency(folder, trees[proof.From], trees[proof.To], proof.Proof))
	}
}

// openCheckpoint verifies the note with every key that signed it, and signs its text again with the private keys.
func openCheckpoint(text string, given sample) (tlog.Tree, error) {
	var none tlog.Tree
	var signers []note.Signer
	for _, key := range given.Keys {
		verifier, err := note.NewVerifier(key.Vkey)
		if err != nil {
			return none, err
		}
		if _, err := note.Open([]byte(text), note.VerifierList(verifier)); err != nil {
			return none, err
		}
		signer, err := note.NewSigner(key.Private)
		if err != nil {
			return none, err
		}
		signers = append(signers, signer)
	}
	body := text[:strings.LastIndex(text, "\n\n")+1]
	signed, err := note.Sign(&note.Note{Text: body}, signers...)
	if err != nil {
		return none, err
	}
	// After these signatures come those with the time, one of each key.
	if !strings.HasPrefix(text, string(signed)) {
		return none, errors.New("Go signs the same text in another way")
	}
	for _, key := range given.Keys {
		if err := openTimestamp(text, key.Vkey); err != nil {
			return none, err
		}
	}
	lines := strings.Split(body, "\n")
	if len(lines) != 4 || lines[0] != given.Origin || lines[3] != "" {
		return none, errors.New("the text is not a checkpoint of this origin")
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil {
		return none, err
	}
	root, err := base64.StdEncoding.DecodeString(lines[2])
	if err != nil || len(root) != tlog.HashSize {
		return none, errors.New("the root is not a hash")
	}
	tree := tlog.Tree{N: size}
	copy(tree.Hash[:], root)
	return tree, nil
}

// timestampVerifier verifies the signatures of a key that cover the time, too: note.Open accepts any kind of verifier.
type timestampVerifier struct {
	name string
	hash uint32
	key  ed25519.PublicKey
}

func (v timestampVerifier) Name() string    { return v.name }
func (v timestampVerifier) KeyHash() uint32 { return v.hash }
func (v timestampVerifier) Verify(text, signature []byte) bool {
	if len(signature) != 8+ed25519.SignatureSize {
		return false
	}
	time := binary.BigEndian.Uint64(signature)
	message := fmt.Sprintf("cosignature/v1\ntime %d\n%s", time, text)
	return time > 1700000000 && ed25519.Verify(v.key, []byte(message), signature[8:])
}

// openTimestamp verifies that the key has signed the checkpoint with a time. Key and id derive from its verifier key.
func openTimestamp(text, vkey string) error {
	parts := strings.SplitN(vkey, "+", 3)
	raw, err := base64.StdEncoding.DecodeString(parts[2])
	if err != nil || len(raw) != 1+ed25519.PublicKeySize {
		return errors.New("the verifier key is malformed")
	}
	id := sha256.Sum256(append([]byte(parts[0]+"\n"), append([]byte{timestampedEd25519}, raw[1:]...)...))
	verifier := timestampVerifier{parts[0], binary.BigEndian.Uint32(id[:]), ed25519.PublicKey(raw[1:])}
	_, err = note.Open([]byte(text), note.VerifierList(verifier))
	return err
}

func readEntries(folder string, size int64) ([][]byte, error) {
	var entries [][]byte
	for at := int64(0); at*256 < size; at++ {
		tile := tlog.Tile{H: tileHeight, L: 0, N: at, W: 256}
		if size-at*256 < 256 {
			tile.W = int(size - at*256)
		}
		path := strings.Replace(tile.Path(), "tile/8/0/", "tile/entries/", 1)
		bundle, err := os.ReadFile(filepath.Join(folder, path))
		if err != nil {
			return nil, err
		}
		for len(bundle) > 0 {
			length := int(binary.BigEndian.Uint16(bundle))
			entries = append(entries, bundle[2:2+length])
			bundle = bundle[2+length:]
		}
	}
	if int64(len(entries)) != size {
		return nil, fmt.Errorf("the bundles have %d entries, not %d", len(entries), size)
	}
	return entries, nil
}

func compareTile(folder string, tile tlog.Tile, stored tlog.HashReader) error {
	want, err := tlog.ReadTileData(tile, stored)
	if err != nil {
		return err
	}
	have, err := readTile(folder, tile)
	if err == nil && !bytes.Equal(want, have) {
		err = errors.New("the tile has other hashes")
	}
	return err
}

// readTile leaves out the height, which is part of Go's paths and not of those of tlog-tiles.
func readTile(folder string, tile tlog.Tile) ([]byte, error) {
	return os.ReadFile(filepath.Join(folder, strings.Replace(tile.Path(), "tile/8/", "tile/", 1)))
}

func checkInclusion(folder string, tree tlog.Tree, index int64, proof tlog.RecordProof, entries [][]byte) error {
	leaf := tlog.RecordHash(entries[index])
	if err := tlog.CheckRecord(proof, tree.N, tree.Hash, index, leaf); err != nil {
		return err
	}
	// The reader authenticates the tiles against the root before it uses them.
	own, err := tlog.ProveRecord(tree.N, index, tlog.TileHashReader(tree, &tileFolder{folder}))
	if err == nil && !sameHashes(own, proof) {
		err = errors.New("Go proves it in another way")
	}
	return err
}

func checkConsistency(folder string, older, newer tlog.Tree, proof tlog.TreeProof) error {
	if err := tlog.CheckTree(proof, newer.N, newer.Hash, older.N, older.Hash); err != nil {
		return err
	}
	own, err := tlog.ProveTree(newer.N, older.N, tlog.TileHashReader(newer, &tileFolder{folder}))
	if err == nil && !sameHashes(own, proof) {
		err = errors.New("Go proves it in another way")
	}
	return err
}

func sameHashes(a, b []tlog.Hash) bool {
	if len(a) != len(b) {
		return false
	}
	for at := range a {
		if a[at] != b[at] {
			return false
		}
	}
	return true
}

type hashList []tlog.Hash

func (list hashList) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	hashes := make([]tlog.Hash, len(indexes))
	for at, index := range indexes {
		if index >= int64(len(list)) {
			return nil, fmt.Errorf("hash %d is not stored yet", index)
		}
		hashes[at] = list[index]
	}
	return hashes, nil
}

type tileFolder struct{ folder string }

func (tiles *tileFolder) Height() int { return tileHeight }

func (tiles *tileFolder) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	data := make([][]byte, len(wanted))
	for at, tile := range wanted {
		bytes, err := readTile(tiles.folder, tile)
		if err != nil {
			return nil, err
		}
		data[at] = bytes
	}
	return data, nil
}

func (tiles *tileFolder) SaveTiles([]tlog.Tile, [][]byte) {}
