# The container runs this script when it starts. The home folder of a hub is a volume that hides
# the one of the image. The script copies the files of the course that are missing there, and
# overwrites nothing.
if [ -d /opt/conda/share/course ] && [ -w "${HOME}" ]; then
    mkdir -p "${HOME}/course"
    (cd /opt/conda/share/course && find . -type f) | while read -r file; do
        if [ ! -e "${HOME}/course/${file}" ]; then
            mkdir -p "$(dirname "${HOME}/course/${file}")"
            cp "/opt/conda/share/course/${file}" "${HOME}/course/${file}"
        fi
    done
fi
